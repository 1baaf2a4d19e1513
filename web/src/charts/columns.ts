// The columns of charts that draw one mark per row of a table.

import type { TopLevelSpec } from 'vega-lite';
import type { Chart } from '../document';
import { find } from '../paths';
import { format_number, format_value, step_for, unit_of, type Step, type Unit } from '../units';
import { axis_title, NotDrawable, number_or_gap, type Numbers } from './data';

export interface Column {
  unit: Unit;
  values: unknown[];
}

/** Throws NotDrawable where the path names no column. */
export function read_column(result: unknown, path: string | undefined, what: string): Column {
  if (!path) throw new NotDrawable(`the chart names no column for its ${what}.`);
  const found = find(result, path);
  if (found.type !== 'column')
    throw new NotDrawable(`the result has no column \u201c${path}\u201d.`);
  return { unit: unit_of(path), values: found.values };
}

/** As read_column, but nothing where the chart names no path. */
export function optional_column(result: unknown, path: string | undefined): Column | undefined {
  return path ? read_column(result, path, '') : undefined;
}

/** Throws NotDrawable where columns are not of one table. */
export function same_length(...columns: (Column | undefined)[]): number {
  const lengths = new Set(columns.flatMap((column) => (column ? [column.values.length] : [])));
  if (lengths.size !== 1) throw new NotDrawable('its columns are of different lengths.');
  return [...lengths][0]!;
}

export function numbers(column: Column): Numbers {
  return column.values.map(number_or_gap);
}

export function texts(column: Column | undefined): string[] {
  if (!column) return [];
  return column.values.map((value) => {
    if (typeof value === 'number') return format_value(value, column.unit);
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return value == null ? 'n/a' : String(value);
  });
}

export function distinct(values: string[]): string[] {
  return [...new Set(values)];
}

/** Values of an axis in the unit that its largest reads best in. */
export interface Scaled {
  step: Step;
  title: string;
  values: Numbers;
  text: (i: number) => string;
}

export function scaled(column: Column, label: string, ...beside: Column[]): Scaled {
  const all = [column, ...beside].flatMap((each) => numbers(each));
  const sizes = all.flatMap((value) => (value === null ? [] : [Math.abs(value)]));
  const step = step_for(
    column.unit,
    sizes.reduce((a, b) => Math.max(a, b), 0),
  );
  const values = numbers(column).map((value) => (value === null ? null : value / step.factor));
  const unit = step.name ? `\u00a0${step.name}` : '';
  return {
    step,
    title: axis_title(label, step.name),
    values,
    text: (i) => (values[i] == null ? 'n/a' : `${format_number(values[i]!)}${unit}`),
  };
}

const kLogarithmicFrom = 50; // largest over smallest, as in the terminal

/** Whether factors are what a reader compares. */
export function is_logarithmic(values: Numbers): boolean {
  const known = values.filter((value): value is number => value !== null);
  const low = known.reduce((a, b) => Math.min(a, b), Infinity);
  const high = known.reduce((a, b) => Math.max(a, b), -Infinity);
  return low > 0 && high / low >= kLogarithmicFrom;
}

/** The label of an axis, else the name of its column without its unit. */
export function label_of(label: string | undefined, path: string): string {
  const key = path.split('.').pop() ?? path;
  const suffix = `_${unit_of(path).id}`;
  const bare = suffix !== '_' && key.endsWith(suffix) ? key.slice(0, -suffix.length) : key;
  return label || bare.replace(/_/g, ' ');
}

/** A chart of one mark per row: read once, drawn for each width. */
export interface Drawing {
  names: string[]; // for those who can't see it
  spec: (width: number) => TopLevelSpec;
  notes: string[];
}

export type Reader = (result: unknown, chart: Chart) => Drawing;
