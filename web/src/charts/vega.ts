// Runs a Vega-Lite specification as SVG, without eval: expressions are interpreted.

import { parse, Error as kErrorsOnly, View, type LoggerInterface, type TooltipHandler } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type Config, type TopLevelSpec } from 'vega-lite';
import { element } from '../element';

const kFont = 'system-ui, "Liberation Sans", Arial, sans-serif';

const kConfig: Config = {
  background: 'transparent',
  font: kFont,
  view: { stroke: null },
  axis: {
    labelColor: 'var(--ink-soft)',
    labelFontSize: 12,
    titleColor: 'var(--ink-soft)',
    titleFontSize: 12,
    titleFontWeight: 'normal',
    titlePadding: 8,
    gridColor: 'var(--rule)',
    domain: false,
    ticks: false,
    labelPadding: 6,
  },
  axisLeft: { minExtent: 36 }, // panels above each other share their left edge
  legend: {
    labelColor: 'var(--ink)',
    labelFontSize: 12,
    symbolSize: 90,
    orient: 'top',
    direction: 'horizontal',
    title: null,
    columns: 0,
    offset: 8,
    padding: 0,
  },
};

/** Warnings are for authors of specifications; a reader can do nothing about them. */
class ErrorsOnly implements LoggerInterface {
  level(): number;
  level(_: number): this;
  level(_?: number): this | number {
    return _ === undefined ? kErrorsOnly : this;
  }
  error(...messages: unknown[]): never {
    throw new Error(messages.map(String).join(' '));
  }
  warn(): this {
    return this;
  }
  info(): this {
    return this;
  }
  debug(): this {
    return this;
  }
}

let bubble: HTMLElement | undefined;

/** A text beside the pointer; the chart's numbers also stand in the page's tables. */
const show_tooltip: TooltipHandler = (_handler, event, _item, value: unknown) => {
  bubble ??= document.body.appendChild(element('div', { class: 'bubble', 'aria-hidden': 'true' }));
  const text = typeof value === 'string' ? value : '';
  bubble.hidden = text === '';
  if (text === '') return;
  bubble.textContent = text;
  const right = Math.min(
    event.pageX + 12,
    scrollX + document.documentElement.clientWidth - bubble.offsetWidth - 8,
  );
  bubble.style.left = `${Math.max(0, right)}px`;
  bubble.style.top = `${event.pageY + 14}px`;
};

/** Draws `spec` into `target`; rejects when the specification can't be run. */
export async function run_vega(target: HTMLElement, spec: TopLevelSpec): Promise<void> {
  const compiled = compile(spec, { config: kConfig, logger: new ErrorsOnly() });
  const view = new View(parse(compiled.spec, undefined, { ast: true }), {
    renderer: 'svg',
    expr: expressionInterpreter,
    logLevel: kErrorsOnly,
    hover: false,
    tooltip: show_tooltip,
  });
  await view.initialize(target).runAsync();
  // The figure carries the description; a screen reader need not walk the marks.
  target.querySelector('svg')?.setAttribute('aria-hidden', 'true');
}
