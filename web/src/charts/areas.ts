// Stacked areas, and lines over something other than time.

import type { TopLevelSpec } from 'vega-lite';
import { series_dash } from '../theme';
import { format_number, step_for } from '../units';
import { axis_title, type Axis, type Line } from './data';
import { category_names, colour_scale, measure, tick_count, type Panel } from './frame';
import { format_instant } from './time_text';

const kHeight = 260;

interface Position {
  field: 'at';
  type: 'temporal' | 'quantitative' | 'ordinal';
  title: string | null;
  values: (number | string)[];
  text: (i: number) => string;
}

function position_of(axis: Axis, label: string): Position {
  if (axis.type === 'time') {
    return {
      field: 'at',
      type: 'temporal',
      title: label || null,
      values: axis.values.map((seconds) => seconds * 1000),
      text: (i) => format_instant(axis.values[i]!),
    };
  }
  if (axis.type === 'number') {
    const step = step_for(axis.unit, Math.max(...axis.values.map(Math.abs)));
    const values = axis.values.map((value) => value / step.factor);
    const unit = step.name ? ` ${step.name}` : '';
    return {
      field: 'at',
      type: 'quantitative',
      title: axis_title(label, step.name) || null,
      values,
      text: (i) => `${format_number(values[i]!)}${unit}`,
    };
  }
  const names = category_names(axis);
  return {
    field: 'at',
    type: 'ordinal',
    title: label || null,
    values: names,
    text: (i) => names[i]!,
  };
}

/** Positions that grow by factors (32, 64, 128) get a logarithmic axis. */
export function grows_by_factors(values: number[]): boolean {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const first = sorted[0] ?? 0;
  if (sorted.length < 4 || first <= 0 || sorted[sorted.length - 1]! / first < 16) return false;
  const unevenness = (positions: number[]) => {
    const gaps = positions.slice(1).map((value, i) => value - positions[i]!);
    return Math.max(...gaps) / Math.min(...gaps);
  };
  return unevenness(sorted.map(Math.log)) < unevenness(sorted);
}

/** Names of a few logarithmic positions themselves; d3 would name powers of ten only. */
function logarithmic(values: number[]): Record<string, unknown> {
  const named = values.length <= 12 ? { values: [...new Set(values)] } : {};
  return { scale: { type: 'log', nice: false }, axis: { ...named, format: ',~r' } };
}

function x_channel(panel: Panel, position: Position): Record<string, unknown> {
  const log =
    position.type === 'quantitative' && grows_by_factors(position.values as number[])
      ? logarithmic(position.values as number[])
      : undefined;
  return {
    field: position.field,
    type: position.type,
    title: position.title,
    sort: null,
    ...(position.type === 'temporal' ? { scale: { type: 'utc', nice: false } } : {}),
    ...(position.type === 'quantitative' ? { scale: { zero: false, nice: false } } : {}),
    ...log,
    axis: {
      grid: false,
      labelOverlap: true,
      labelAngle: 0,
      tickCount: tick_count(panel.width),
      ...(log?.['axis'] as object | undefined),
    },
  };
}

const kHour = 3600;
const kSpans = [1, 2, 3, 6, 24, 7 * 24].map((hours) => hours * kHour);

/**
 * How many values make one drawn point, for at most `most` points. Over time it is a whole part or
 * multiple of a day: other runs would beat with the daily cycle and draw waves that are not there.
 */
export function run_length(axis: Axis, most: number): number {
  const run = Math.ceil(axis.values.length / most);
  if (run <= 1 || axis.type !== 'time') return run;
  const step = (axis.values[axis.values.length - 1]! - axis.values[0]!) / (axis.values.length - 1);
  const span = kSpans.find((each) => each >= run * step * (1 - 1e-9));
  return span === undefined ? run : Math.round(span / step);
}

/** More points than pixels only cost time: means of equal runs, which keep the area. */
export function thin(
  axis: Axis,
  lines: Line[],
  most: number,
): { axis: Axis; lines: Line[]; run: number } {
  const run = run_length(axis, most);
  if (run <= 1 || axis.type === 'category') return { axis, lines, run: 1 };
  const starts = axis.values.map((_, i) => i).filter((i) => i % run === 0);
  const mean = (values: (number | null)[], from: number): number | null => {
    let sum = 0;
    const slice = values.slice(from, from + run);
    for (const value of slice) {
      if (value === null) return null;
      sum += value;
    }
    return sum / slice.length;
  };
  return {
    axis: { ...axis, values: starts.map((i) => axis.values[i] as number) },
    lines: lines.map((line) => ({ ...line, values: starts.map((i) => mean(line.values, i)) })),
    run,
  };
}

/**
 * Bottom and top of each area. Where one value is missing the total is unknown, so all areas have
 * a gap there. Negative values stack downwards.
 */
export function stack(lines: Line[]): ([number, number] | null)[][] {
  const count = lines[0]?.values.length ?? 0;
  const edges: ([number, number] | null)[][] = lines.map(() => new Array(count).fill(null));
  for (let i = 0; i < count; ++i) {
    if (lines.some((line) => line.values[i] == null)) continue;
    let above = 0;
    let below = 0;
    lines.forEach((line, row) => {
      const value = line.values[i]!;
      const from = value < 0 ? below : above;
      edges[row]![i] = [from, from + value];
      if (value < 0) below += value;
      else above += value;
    });
  }
  return edges;
}

/** `note` gets a sentence where means are drawn for runs of values. */
export function stacked_area(panel: Panel, note: (text: string) => void): TopLevelSpec {
  const { axis, lines, run } = thin(panel.plot.x, panel.lines, Math.max(200, panel.width));
  if (run > 1) note(`Each point is the mean of ${run} consecutive values.`);
  const position = position_of(axis, panel.plot.chart.x_label ?? '');
  const { step, title } = measure(panel);
  const edges = stack(lines);
  const values = lines.flatMap((line, row) =>
    position.values.map((at, i) => {
      const edge = edges[row]![i];
      return {
        at,
        line: line.label,
        low: edge ? edge[0] / step.factor : null,
        high: edge ? edge[1] / step.factor : null,
      };
    }),
  );
  return {
    data: { values },
    width: panel.width,
    height: kHeight,
    autosize: { type: 'fit-x', contains: 'padding' },
    mark: { type: 'area', invalid: 'break-paths-show-domains', interpolate: 'linear', line: false },
    encoding: {
      x: x_channel(panel, position),
      y: { field: 'low', type: 'quantitative', title, axis: { tickCount: 5 } },
      y2: { field: 'high' },
      color: { field: 'line', type: 'nominal', sort: null, scale: colour_scale(panel) },
    },
  } as TopLevelSpec;
}

/** Lines over a number or over categories. */
export function plain_lines(panel: Panel): TopLevelSpec {
  const position = position_of(panel.plot.x, panel.plot.chart.x_label ?? '');
  const { step, title, text } = measure(panel);
  const unit = step.name ? ` ${step.name}` : '';
  const values = panel.lines.flatMap((line) =>
    position.values.map((at, i) => {
      const value = line.values[i];
      return {
        at,
        line: line.label,
        value: value == null ? null : value / step.factor,
        tip: value == null ? '' : `${line.label}, ${position.text(i)}: ${text(value)}${unit}`,
      };
    }),
  );
  const several = panel.lines.length > 1;
  const colour = {
    field: 'line',
    type: 'nominal',
    sort: null,
    scale: colour_scale(panel),
    ...(several ? {} : { legend: null }),
  };
  const dash = {
    field: 'line',
    type: 'nominal',
    sort: null,
    legend: null,
    scale: {
      domain: panel.lines.map((line) => line.label),
      range: panel.lines.map((line) => {
        const pattern = series_dash(panel.plot.lines.indexOf(line));
        return pattern.length > 0 ? pattern : [1, 0];
      }),
    },
  };
  const x = x_channel(panel, position);
  const y = {
    field: 'value',
    type: 'quantitative',
    title,
    axis: { tickCount: 5 },
  };
  const few = position.values.length <= 60;
  return {
    data: { values },
    width: panel.width,
    height: kHeight,
    autosize: { type: 'fit-x', contains: 'padding' },
    layer: [
      {
        mark: { type: 'line', strokeWidth: 1.75, invalid: 'break-paths-show-domains' },
        encoding: { x, y, color: colour, ...(several ? { strokeDash: dash } : {}) },
      },
      ...(few
        ? [
            {
              mark: { type: 'point', filled: true, size: 36, opacity: 1, invalid: 'filter' },
              encoding: { x, y, color: colour, tooltip: { field: 'tip', type: 'nominal' } },
            },
          ]
        : []),
    ],
  } as TopLevelSpec;
}
