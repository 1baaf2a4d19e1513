// Draws the charts of a report into the figures that wait for them.

import type { TopLevelSpec } from 'vega-lite';
import type { Chart, ReportDocument } from '../document';
import { element } from '../element';
import { plain_lines, stacked_area } from './areas';
import { bars } from './bars';
import type { Reader } from './columns';
import { by_unit, NotDrawable, read_plot, type Plot } from './data';
import type { Panel } from './frame';
import { read_heat_map } from './heat_map';
import { draw_time_lines } from './lines';
import { read_log_log, read_scatter } from './points';
import { stacked_bars } from './stacked_bars';
import { read_timeline } from './timeline';
import { run_vega } from './vega';

const kKinds: Record<string, string> = {
  lines: 'Line chart',
  stacked_area: 'Stacked area chart',
  bars: 'Bar chart',
  interval_bars: 'Bar chart with intervals',
  stacked_bars: 'Stacked bar chart',
  timeline: 'Timeline',
  scatter: 'Scatter plot',
  heat_map: 'Heat map',
  log_log: 'Plot with logarithmic axes',
};

// Kinds that draw a mark for each row of a table, whatever the units.
const kReaders: Partial<Record<string, Reader>> = {
  timeline: read_timeline,
  scatter: read_scatter,
  heat_map: read_heat_map,
  log_log: read_log_log,
};

function spec_of(panel: Panel, note: (text: string) => void): TopLevelSpec {
  switch (panel.plot.chart.kind) {
    case 'stacked_area':
      return stacked_area(panel, note);
    case 'bars':
    case 'interval_bars':
      return bars(panel);
    case 'stacked_bars':
      return stacked_bars(panel);
    default:
      return plain_lines(panel);
  }
}

type Specs = (width: number, note: (text: string) => void) => TopLevelSpec[];

/** One specification per unit. */
function panels_of(plot: Plot): Specs {
  return (width, note) =>
    by_unit(plot.lines).map((lines) => spec_of({ plot, lines, width }, note));
}

/** Draws panels one below the other, again whenever the width has changed. */
async function draw_vega(target: HTMLElement, specs: Specs): Promise<void> {
  let drawn = 0;
  const draw = async () => {
    const width = Math.max(240, target.clientWidth);
    if (Math.abs(width - drawn) < 2) return;
    drawn = width;
    const content = element('div');
    target.replaceChildren(content);
    const notes: string[] = [];
    for (const spec of specs(width, (text) => notes.push(text))) {
      const panel = element('div', { class: 'panel' });
      content.append(panel);
      await run_vega(panel, spec);
    }
    for (const note of new Set(notes)) content.append(element('p', { class: 'hint' }, note));
  };
  await draw();
  new ResizeObserver(() => void draw()).observe(target);
}

function say(target: HTMLElement, text: string): void {
  target.replaceChildren(element('p', { class: 'no-chart' }, text));
}

async function draw_chart(figure: HTMLElement, result: unknown, chart: Chart): Promise<void> {
  const target =
    figure.querySelector<HTMLElement>('.plot') ??
    figure.appendChild(element('div', { class: 'plot' }));
  const drawing = element('div', { class: 'drawing', role: 'group' });
  target.replaceChildren(drawing);
  try {
    if (!Object.hasOwn(kKinds, chart.kind))
      throw new NotDrawable(`its kind \u201c${chart.kind}\u201d is not known.`);
    const reader = kReaders[chart.kind];
    if (reader) {
      const { names, spec, notes } = reader(result, chart);
      drawing.setAttribute(
        'aria-label',
        `${kKinds[chart.kind]}: ${chart.title} (${names.join(', ')})`,
      );
      await draw_vega(drawing, (width) => [spec(width)]);
      if (notes.length > 0) target.append(element('p', { class: 'hint' }, `${notes.join('; ')}.`));
      return;
    }
    const plot = read_plot(result, chart);
    const names = plot.lines.map((line) => line.label).join(', ');
    drawing.setAttribute('aria-label', `${kKinds[chart.kind]}: ${chart.title} (${names})`);
    if (chart.kind === 'lines' && plot.x.type === 'time') draw_time_lines(drawing, plot);
    else await draw_vega(drawing, panels_of(plot));
    if (plot.notes.length > 0) {
      target.append(element('p', { class: 'hint' }, `Not drawn: ${plot.notes.join('; ')}.`));
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(target, `This chart is not drawn: ${reason}`);
  }
}

/** Every figure ends with a chart or with a sentence that says why there is none. */
export async function draw_charts(page: ReportDocument): Promise<void> {
  const charts = new Map(page.charts.map((chart) => [chart.key, chart]));
  for (const figure of document.querySelectorAll<HTMLElement>('figure.chart')) {
    const key = figure.dataset['chart'] ?? '';
    const chart = charts.get(key);
    if (chart) await draw_chart(figure, page.result, chart);
    else
      say(
        figure.querySelector<HTMLElement>('.plot') ?? figure,
        `This chart is not drawn: the report describes no chart \u201c${key}\u201d.`,
      );
  }
}
