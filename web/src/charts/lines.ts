// Lines over time: uPlot on a canvas, which stays smooth with tens of thousands of points.

import uPlot from 'uplot';
import { element } from '../element';
import { css_value, on_theme_change, series_dash, series_name, series_var } from '../theme';
import { format_fixed, format_number, step_for, type Step } from '../units';
import { axis_title, by_unit, magnitude, type Line, type Numbers, type Plot } from './data';
import { rolling_mean, values_per_day } from './day_mean';
import { format_instant, tick_labels } from './time_text';

const kHeight = 280;
const kDense = 1000; // points: from here on lines are bands, and two of them hide each other
const kFaint = 0.35;
const kPrintWidth = 640; // fits the text block of an A4 or letter page
const kFont = '12px system-ui, "Liberation Sans", Arial, sans-serif';

interface Trace {
  label: string;
  values: Numbers;
  colour: number;
  faint: boolean; // the background of its own mean
}

interface Scale {
  key: string;
  step: Step;
  title: string;
  traces: Trace[];
}

function traces_of(plot: Plot, line: Line): Trace[] {
  const colour = plot.lines.indexOf(line);
  const instants = plot.x.values as number[];
  const run = instants.length > kDense ? values_per_day(instants) : undefined;
  const own = { label: line.label, values: line.values, colour, faint: run !== undefined };
  if (run === undefined) return [own];
  const mean = rolling_mean(line.values, run);
  return [own, { label: `${line.label}, mean over 24 h`, values: mean, colour, faint: false }];
}

/** Two scales share a panel, one axis on each side, unless their lines are bands. */
function panels_of(plot: Plot): Scale[][] {
  const groups = by_unit(plot.lines);
  const scales = groups.map((lines, i): Scale => {
    const step = step_for(lines[0]!.unit, magnitude(lines));
    const names = lines.map((line) => line.label).join(', ');
    const label = groups.length === 1 ? plot.chart.y_label || names : names;
    const traces = lines.flatMap((line) => traces_of(plot, line));
    return { key: `y${i}`, step, title: axis_title(label, step.name), traces };
  });
  const panels: Scale[][] = [];
  const shared = plot.x.values.length > kDense ? 1 : 2;
  for (let i = 0; i < scales.length; i += shared) panels.push(scales.slice(i, i + shared));
  return panels;
}

/** Includes zero where zero is near: a range that starts at 95 % of its top misleads less cut. */
function y_range(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [0, 1];
  if (low === high) return low === 0 ? [0, 1] : [Math.min(0, 2 * low), Math.max(0, 2 * low)];
  const from = low > 0 && low < 0.7 * high ? 0 : low;
  const to = high < 0 && high > 0.7 * low ? 0 : high;
  const pad = 0.06 * (to - from);
  return [from === 0 ? 0 : from - pad, to === 0 ? 0 : to + pad];
}

/** The decimals that tell multiples of `spacing` apart: 0 for 20, 1 for 2.5, 2 for 0.05. */
function decimals_of(spacing: number): number {
  let decimals = 0;
  for (let scaled = spacing; decimals < 12; ++decimals, scaled *= 10) {
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) break;
  }
  return decimals;
}

function axes_of(scales: Scale[]): uPlot.Axis[] {
  const ink = () => css_value('--ink-soft');
  const rule = () => css_value('--rule');
  const time: uPlot.Axis = {
    stroke: ink,
    font: kFont,
    grid: { show: false },
    ticks: { stroke: rule, width: 1, size: 5 },
    space: 70,
    values: (_, ticks, __, ___, spacing) => tick_labels(ticks, spacing),
  };
  const values = scales.map((scale, i): uPlot.Axis => ({
    scale: scale.key,
    side: i === 0 ? 3 : 1,
    stroke: ink,
    font: kFont,
    labelFont: kFont,
    label: scale.title,
    labelSize: 20,
    size: 52,
    gap: 4,
    space: 38,
    grid: { show: i === 0, stroke: rule, width: 1 },
    ticks: { show: false },
    values: (_, ticks, __, ___, spacing) => {
      const decimals = decimals_of(spacing);
      return ticks.map((tick) => format_fixed(tick, decimals));
    },
  }));
  return [time, ...values];
}

function series_of(scales: Scale[]): uPlot.Series[] {
  const time: uPlot.Series = {
    label: 'Time (UTC)',
    value: (_, seconds) => (seconds == null ? '' : format_instant(seconds)),
  };
  const values = scales.flatMap((scale) =>
    scale.traces.map(({ label, values, colour, faint }): uPlot.Series => {
      const dash = series_dash(colour);
      return {
        label,
        scale: scale.key,
        stroke: () => css_value(series_name(colour)),
        width: faint ? 1 : 1.75,
        alpha: faint ? kFaint : 1,
        ...(dash.length > 0 ? { dash } : {}),
        points: { show: values.length <= 40 },
        value: (_, value) =>
          value == null
            ? ''
            : `${format_number(value)}${scale.step.name ? `\u00a0${scale.step.name}` : ''}`,
      };
    }),
  );
  return [time, ...values];
}

function data_of(plot: Plot, scales: Scale[]): uPlot.AlignedData {
  const scaled = scales.flatMap((scale) =>
    scale.traces.map((trace) =>
      trace.values.map((value) => (value === null ? null : value / scale.step.factor)),
    ),
  );
  return [plot.x.values as number[], ...scaled];
}

/** uPlot needs ascending positions; a table may come in any order. */
function sorted(plot: Plot): Plot {
  const x = plot.x.values as number[];
  if (x.every((value, i) => i === 0 || value >= x[i - 1]!)) return plot;
  const order = x.map((_, i) => i).sort((a, b) => x[a]! - x[b]!);
  return {
    ...plot,
    x: { type: 'time', values: order.map((i) => x[i]!) },
    lines: plot.lines.map((line) => ({
      ...line,
      values: order.map((i) => line.values[i] ?? null),
    })),
  };
}

/** Arrow keys move the read-out, + and - zoom about it, Escape shows everything, in all panels. */
function listen_to_keys(target: HTMLElement, chart: uPlot, panels: uPlot[]): void {
  const x = chart.data[0];
  const show = (min: number, max: number) => {
    for (const each of panels) each.setScale('x', { min, max });
  };
  const zoom = (factor: number) => {
    const { min, max } = chart.scales['x']!;
    if (min == null || max == null) return;
    const at = chart.cursor.idx != null ? x[chart.cursor.idx]! : (min + max) / 2;
    const from = Math.max(x[0]!, at - (at - min) * factor);
    const to = Math.min(x[x.length - 1]!, at + (max - at) * factor);
    if (to > from) show(from, to);
  };
  const move = (by: number) => {
    const at = Math.min(x.length - 1, Math.max(0, (chart.cursor.idx ?? 0) + by));
    for (const each of panels) each.setCursor({ left: each.valToPos(x[at]!, 'x'), top: 10 });
  };
  target.addEventListener('keydown', (event) => {
    const stride = event.shiftKey ? 24 : 1;
    if (event.key === 'ArrowRight') move(stride);
    else if (event.key === 'ArrowLeft') move(-stride);
    else if (event.key === '+' || event.key === '=') zoom(0.5);
    else if (event.key === '-') zoom(2);
    else if (event.key === 'Escape') show(x[0]!, x[x.length - 1]!);
    else return;
    event.preventDefault();
  });
}

function marker_fill(trace: Trace | undefined): string {
  if (!trace) return 'transparent';
  const colour = series_var(trace.colour);
  return trace.faint ? `color-mix(in srgb, ${colour} ${100 * kFaint}%, transparent)` : colour;
}

/** Adds one panel to `panels`, which share their cursor and zoom. */
function draw_panel(target: HTMLElement, plot: Plot, scales: Scale[], panels: uPlot[]): void {
  const panel = element('div', { class: 'panel', tabindex: '0', role: 'group' });
  panel.setAttribute(
    'aria-label',
    `${plot.chart.title}; arrow keys read values, plus and minus zoom`,
  );
  target.append(panel);
  const traces = scales.flatMap((scale) => scale.traces);
  const chart = new uPlot(
    {
      width: panel.clientWidth || kPrintWidth,
      height: kHeight,
      // Ticks fall on UTC days; shifting by the zone's offset makes local getters read UTC.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: Object.fromEntries(scales.map((scale) => [scale.key, { range: y_range }])),
      series: series_of(scales),
      axes: axes_of(scales),
      legend: {
        markers: { width: 0, fill: (_, i) => marker_fill(traces[i - 1]) },
      },
      cursor: {
        sync: { key: plot.chart.key, scales: ['x', null] },
        points: { size: 7 },
        drag: { x: true, y: false },
      },
    },
    data_of(plot, scales),
    panel,
  );
  panels.push(chart);
  listen_to_keys(panel, chart, panels);
  const resize = (width: number) => {
    if (width > 0 && Math.abs(width - chart.width) > 1) chart.setSize({ width, height: kHeight });
  };
  new ResizeObserver(() => resize(panel.clientWidth)).observe(panel);
  addEventListener('beforeprint', () => resize(Math.min(panel.clientWidth, kPrintWidth)));
  addEventListener('afterprint', () => resize(panel.clientWidth));
  on_theme_change(() => chart.redraw(false, true));
}

/** Draws lines over time into `target`; drag to zoom, double click to reset. */
export function draw_time_lines(target: HTMLElement, plot: Plot): void {
  const ordered = sorted(plot);
  const panels: uPlot[] = [];
  for (const scales of panels_of(ordered)) draw_panel(target, ordered, scales, panels);
  target.append(
    element('p', { class: 'hint' }, 'Times in UTC. Drag to zoom, double-click to see everything.'),
  );
}
