// What every Vega-Lite chart shares: rows, colours, axes in human units, direct labels.

import { format_number, step_for, type Step } from '../units';
import { series_var } from '../theme';
import { axis_title, magnitude, type Axis, type Line, type Plot } from './data';
import { instant_names } from './time_text';

/** One panel: lines of one unit, with the width that is there for it. */
export interface Panel {
  plot: Plot;
  lines: Line[];
  width: number;
}

export interface Measure {
  step: Step;
  title: string;
  text: (value: number) => string;
}

/** How the values of a panel are scaled and named. */
export function measure(panel: Panel): Measure {
  const step = step_for(panel.lines[0]!.unit, magnitude(panel.lines));
  const names = panel.lines.map((line) => line.label).join(', ');
  const shared = panel.lines.length === panel.plot.lines.length;
  const label = shared ? panel.plot.chart.y_label || names : names;
  return {
    step,
    title: axis_title(label, step.name),
    text: (value) => format_number(value / step.factor),
  };
}

export function category_names(axis: Axis): string[] {
  const names =
    axis.type === 'category'
      ? axis.values
      : axis.type === 'time'
        ? instant_names(axis.values)
        : axis.values.map((value) => {
            const step = step_for(axis.unit, Math.max(...axis.values.map(Math.abs)));
            return format_number(value / step.factor, 6);
          });
  // Two rows of one name are two bars, not one bar drawn twice.
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** Colours of lines by label: a line keeps its colour in every panel of a chart. */
export function colour_scale(panel: Panel): { domain: string[]; range: string[] } {
  return {
    domain: panel.lines.map((line) => line.label),
    range: panel.lines.map((line) => series_var(panel.plot.lines.indexOf(line))),
  };
}

/** Keeps the first digits of what a narrow axis can hold. */
export function tick_count(width: number): number {
  return Math.max(3, Math.min(8, Math.floor(width / 90)));
}
