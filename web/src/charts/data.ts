// Turns a chart's paths into aligned columns of numbers, or into a sentence that says why not.

import type { Chart } from '../document';
import { find, parse_instant, type Series } from '../paths';
import { unit_of, type Unit } from '../units';

export type Numbers = (number | null)[];

export type Axis =
  | { type: 'time'; values: number[] } // seconds since 1970, UTC
  | { type: 'number'; values: number[]; unit: Unit }
  | { type: 'category'; values: string[] };

export interface Line {
  label: string;
  unit: Unit;
  values: Numbers;
  low?: Numbers;
  high?: Numbers;
}

export interface Plot {
  chart: Chart;
  x: Axis;
  lines: Line[];
  notes: string[]; // what of the chart is not drawn, and why
}

/** A reason, as a sentence for the reader, for which a chart can't be drawn. */
export class NotDrawable extends Error {}

export function number_or_gap(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function last_segment(path: string): string {
  return path.split('.').pop() ?? path;
}

interface Source {
  line: Line;
  series?: Series;
}

function read_source(result: unknown, path: string, label: string): Source | string {
  const found = find(result, path);
  if (found.type === 'missing') return `the result has no \u201c${path}\u201d`;
  const raw =
    found.type === 'series'
      ? found.series.values
      : found.type === 'column'
        ? found.values
        : [found.value];
  const values = raw.map(number_or_gap);
  if (values.every((value) => value === null)) {
    return raw.length === 0
      ? `\u201c${path}\u201d is empty`
      : `\u201c${path}\u201d holds no number`;
  }
  const line: Line = { label, unit: unit_of(path), values };
  const low = find(result, `${path}_range.low`);
  const high = find(result, `${path}_range.high`);
  if (low.type === 'column' && high.type === 'column' && low.values.length === values.length) {
    line.low = low.values.map(number_or_gap);
    line.high = high.values.map(number_or_gap);
  } else if (low.type === 'scalar' && high.type === 'scalar') {
    line.low = [number_or_gap(low.value)];
    line.high = [number_or_gap(high.value)];
  }
  return found.type === 'series' ? { line, series: found.series } : { line };
}

function read_axis(result: unknown, path: string): Axis {
  const found = find(result, path);
  if (found.type === 'missing') throw new NotDrawable(`the result has no \u201c${path}\u201d.`);
  if (found.type === 'series')
    throw new NotDrawable(`\u201c${path}\u201d is a series, not positions.`);
  const values = found.type === 'column' ? found.values : [found.value];
  if (values.length === 0) throw new NotDrawable(`\u201c${path}\u201d is empty.`);
  const instants = values.map(parse_instant);
  if (instants.every((instant) => instant !== undefined)) {
    return { type: 'time', values: (instants as number[]).map((instant) => instant / 1000) };
  }
  if (values.every((value) => typeof value === 'number' && Number.isFinite(value))) {
    return { type: 'number', values: values as number[], unit: unit_of(path) };
  }
  return {
    type: 'category',
    values: values.map((value) => (value == null ? 'n/a' : String(value))),
  };
}

/** Series of any starts and steps on the union of their instants. */
function align(sources: { line: Line; series: Series }[]): { x: Axis; lines: Line[] } {
  const instant = (series: Series, i: number) => series.start_ms / 1000 + i * series.step_s;
  const all = new Set<number>();
  for (const { series } of sources) series.values.forEach((_, i) => all.add(instant(series, i)));
  const x = [...all].sort((a, b) => a - b);
  const position = new Map(x.map((value, i) => [value, i]));
  const lines = sources.map(({ line, series }) => {
    const values: Numbers = new Array<number | null>(x.length).fill(null);
    line.values.forEach((value, i) => {
      const at = position.get(instant(series, i));
      if (at !== undefined) values[at] = value;
    });
    return { ...line, values };
  });
  return { x: { type: 'time', values: x }, lines };
}

/** One bar per path: single values side by side, their labels as the categories. */
function single_values(lines: Line[], label: string): { x: Axis; lines: Line[] } {
  const by_unit = new Map<string, Line[]>();
  for (const line of lines) by_unit.set(line.unit.id, [...(by_unit.get(line.unit.id) ?? []), line]);
  const merged = [...by_unit.values()].map((group) => {
    const pick = (of: (line: Line) => Numbers | undefined): Numbers =>
      lines.map((line) => (group.includes(line) ? (of(line)?.[0] ?? null) : null));
    const line: Line = { label, unit: group[0]!.unit, values: pick((each) => each.values) };
    if (group.some((each) => each.low)) {
      line.low = pick((each) => each.low);
      line.high = pick((each) => each.high);
    }
    return line;
  });
  return { x: { type: 'category', values: lines.map((line) => line.label) }, lines: merged };
}

function place(result: unknown, chart: Chart, sources: Source[]): { x: Axis; lines: Line[] } {
  const lines = sources.map((source) => source.line);
  if (chart.x) return { x: read_axis(result, chart.x), lines };
  const series = sources.filter(
    (source): source is { line: Line; series: Series } => !!source.series,
  );
  if (series.length === sources.length) return align(series);
  if (lines.every((line) => line.values.length === 1))
    return single_values(lines, chart.y_label || '');
  const longest = Math.max(...lines.map((line) => line.values.length));
  const values = Array.from({ length: longest }, (_, i) => i + 1);
  return { x: { type: 'number', values, unit: unit_of('') }, lines };
}

/** Throws NotDrawable with a sentence for the reader where nothing can be drawn. */
export function read_plot(result: unknown, chart: Chart): Plot {
  const paths = Array.isArray(chart.y) ? chart.y : [];
  if (paths.length === 0) throw new NotDrawable('the chart names no values.');
  const sources: Source[] = [];
  const notes: string[] = [];
  paths.forEach((path, i) => {
    const label = chart.labels?.[i] ?? last_segment(path).replace(/_/g, ' ');
    const source = read_source(result, path, label);
    if (typeof source === 'string') notes.push(`${label}: ${source}`);
    else sources.push(source);
  });
  if (sources.length === 0) {
    throw new NotDrawable(`${notes.map((note) => note.replace(/^.*?: /, '')).join('; ')}.`);
  }
  const { x, lines } = place(result, chart, sources);
  const fitting = lines.filter((line) => {
    if (line.values.length === x.values.length) return true;
    notes.push(`${line.label}: ${line.values.length} values for ${x.values.length} positions`);
    return false;
  });
  if (fitting.length === 0) throw new NotDrawable(`${notes.join('; ')}.`);
  return { chart, x, lines: fitting, notes };
}

/** Lines grouped by unit, in order of first appearance. */
export function by_unit(lines: Line[]): Line[][] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) groups.set(line.unit.id, [...(groups.get(line.unit.id) ?? []), line]);
  return [...groups.values()];
}

/** The largest magnitude drawn, in base units. */
export function magnitude(lines: Line[]): number {
  let largest = 0;
  for (const line of lines) {
    for (const column of [line.values, line.low, line.high]) {
      for (const value of column ?? [])
        if (value !== null) largest = Math.max(largest, Math.abs(value));
    }
  }
  return largest;
}

/** An axis title with its unit; a unit that the label already gives in brackets is replaced. */
export function axis_title(label: string, unit_name: string): string {
  const bare = unit_name ? label.replace(/\s*[([][^)\]]*[)\]]\s*$/, '') : label;
  if (!unit_name) return bare;
  return bare ? `${bare} (${unit_name})` : unit_name;
}
