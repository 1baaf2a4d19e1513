// Draws the charts of a report into the figures that wait for them.

import type { TopLevelSpec } from 'vega-lite';
import type { Chart, ReportDocument } from '../document';
import { element } from '../element';
import { plain_lines, stacked_area } from './areas';
import { bars } from './bars';
import { by_unit, NotDrawable, read_plot, type Plot } from './data';
import type { Panel } from './frame';
import { draw_time_lines } from './lines';
import { run_vega } from './vega';

const kKinds: Record<string, string> = {
  lines: 'Line chart',
  stacked_area: 'Stacked area chart',
  bars: 'Bar chart',
  interval_bars: 'Bar chart with intervals',
};

function spec_of(panel: Panel, note: (text: string) => void): TopLevelSpec {
  switch (panel.plot.chart.kind) {
    case 'stacked_area':
      return stacked_area(panel, note);
    case 'bars':
    case 'interval_bars':
      return bars(panel);
    default:
      return plain_lines(panel);
  }
}

/** Draws one panel per unit, again whenever the width has changed. */
async function draw_vega(target: HTMLElement, plot: Plot): Promise<void> {
  let drawn = 0;
  const draw = async () => {
    const width = Math.max(240, target.clientWidth);
    if (Math.abs(width - drawn) < 2) return;
    drawn = width;
    const content = element('div');
    target.replaceChildren(content);
    for (const lines of by_unit(plot.lines)) {
      const panel = element('div', { class: 'panel' });
      content.append(panel);
      let note = '';
      await run_vega(
        panel,
        spec_of({ plot, lines, width }, (text) => (note = text)),
      );
      if (note) content.append(element('p', { class: 'hint' }, note));
    }
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
    const plot = read_plot(result, chart);
    const names = plot.lines.map((line) => line.label).join(', ');
    drawing.setAttribute('aria-label', `${kKinds[chart.kind]}: ${chart.title} (${names})`);
    if (chart.kind === 'lines' && plot.x.type === 'time') draw_time_lines(drawing, plot);
    else await draw_vega(drawing, plot);
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
