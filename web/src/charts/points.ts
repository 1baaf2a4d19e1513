// Points of two numbers, some of them marked: a Pareto front, or work below ceilings.

import type { TopLevelSpec } from 'vega-lite';
import type { Chart } from '../document';
import { series_var } from '../theme';
import {
  is_logarithmic,
  label_of,
  numbers,
  optional_column,
  read_column,
  same_length,
  scaled,
  texts,
  type Column,
  type Reader,
  type Scaled,
} from './columns';
import { NotDrawable } from './data';
import { tick_count } from './frame';

const kHeight = 320;
// Names closer than this to the last one would cover it: shares of the width and the height.
const kNameWidth = 0.12;
const kNameHeight = 0.06;

export interface Row {
  x: number;
  y: number;
  name: string;
  label: string; // its name where there is room for it
  right: boolean; // near the right edge, so that its label stands to the left
  marked: boolean;
  tip: string;
}

function share(value: number, all: number[], logarithmic: boolean): number {
  const at = logarithmic ? Math.log : (v: number) => v;
  const low = all.reduce((a, b) => Math.min(a, b), Infinity);
  const high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  return low < high ? (at(value) - at(low)) / (at(high) - at(low)) : 0.5;
}

function rows_of(
  x: Scaled,
  y: Scaled,
  name: Column | undefined,
  marked: Column | undefined,
  positive: boolean,
): Row[] {
  const names = texts(name);
  const rows = x.values.flatMap((value, i): Row[] => {
    const other = y.values[i];
    if (value === null || other == null || (positive && !(value > 0 && other > 0))) return [];
    const label = names[i] ?? '';
    return [
      {
        x: value,
        y: other,
        name: label,
        label: '',
        right: false,
        marked: marked?.values[i] === true,
        tip: `${label ? `${label}: ` : ''}${x.text(i)}, ${y.text(i)}`,
      },
    ];
  });
  return rows.sort((a, b) => a.x - b.x);
}

/** Names the marked points that have room for it; the others show when one points at them. */
export function name_some(rows: Row[], by_factors: readonly [boolean, boolean]): string[] {
  const all_x = rows.map((row) => row.x);
  const all_y = rows.map((row) => row.y);
  const named: { x: number; y: number }[] = [];
  let left_out = 0;
  for (const row of rows) {
    const at = {
      x: share(row.x, all_x, by_factors[0]),
      y: share(row.y, all_y, by_factors[1]),
    };
    row.right = at.x > 0.66;
    if (!row.marked || !row.name) continue;
    const covers = (other: { x: number; y: number }) =>
      Math.abs(at.x - other.x) < kNameWidth && Math.abs(at.y - other.y) < kNameHeight;
    if (named.some(covers)) {
      ++left_out;
      continue;
    }
    row.label = row.name;
    named.push(at);
  }
  return left_out === 0
    ? []
    : [`The names of ${left_out} more marked points show when one points at them`];
}

function axis(title: string, logarithmic: boolean, count: number): Record<string, unknown> {
  return logarithmic
    ? {
        title: `${title}, by factors`,
        scale: { type: 'log', nice: false, padding: 12 },
        axis: { tickCount: count, format: ',~r', labelOverlap: true },
      }
    : {
        title,
        scale: { zero: false, nice: true, padding: 12 },
        axis: { tickCount: count, labelOverlap: true },
      };
}

interface Axes {
  x: Record<string, unknown>;
  y: Record<string, unknown>;
}

function point_layers(rows: Row[], axes: Axes, joined: boolean): object[] {
  const x = { field: 'x', type: 'quantitative', ...axes.x };
  const y = { field: 'y', type: 'quantitative', ...axes.y };
  const tooltip = { field: 'tip', type: 'nominal' };
  const marked = rows.filter((row) => row.marked);
  const others = rows.filter((row) => !row.marked);
  const text = (right: boolean) => ({
    data: { values: marked.filter((row) => row.label && row.right === right) },
    mark: {
      type: 'text',
      align: right ? 'right' : 'left',
      dx: right ? -8 : 8,
      dy: -8,
      fontSize: 12,
      color: 'var(--ink)',
    },
    encoding: { x, y, text: { field: 'label' } },
  });
  return [
    {
      data: { values: others },
      mark: { type: 'point', filled: true, size: 28, opacity: 0.55, color: 'var(--series-7)' },
      encoding: { x, y, tooltip },
    },
    ...(joined
      ? [
          {
            data: { values: marked },
            mark: { type: 'line', strokeWidth: 1.75, color: series_var(1) },
            encoding: { x, y },
          },
        ]
      : []),
    {
      data: { values: marked },
      mark: { type: 'point', filled: true, size: 64, opacity: 1, color: series_var(1) },
      encoding: { x, y, tooltip },
    },
    text(false),
    text(true),
  ];
}

function framed(width: number, layer: object[]): TopLevelSpec {
  return {
    width,
    height: kHeight,
    autosize: { type: 'fit-x', contains: 'padding' },
    layer,
  } as TopLevelSpec;
}

export const read_scatter: Reader = (result, chart) => {
  const across = read_column(result, chart.x, 'positions');
  const up = read_column(result, chart.y[0], 'heights');
  const name = optional_column(result, chart.name);
  const marked = optional_column(result, chart.marked);
  same_length(across, up, name, marked);
  const x = scaled(across, label_of(chart.x_label, chart.x ?? ''));
  const y = scaled(up, label_of(chart.y_label, chart.y[0]!));
  const rows = rows_of(x, y, name, marked, false);
  if (rows.length === 0) throw new NotDrawable('no point has both numbers.');
  const by_factors = [is_logarithmic(numbers(across)), is_logarithmic(numbers(up))] as const;
  return {
    names: [y.title, x.title],
    notes: name_some(rows, by_factors),
    spec: (width) =>
      framed(
        width,
        point_layers(
          rows,
          { x: axis(x.title, by_factors[0], tick_count(width)), y: axis(y.title, by_factors[1], 6) },
          true,
        ),
      ),
  };
};

interface Ceiling {
  line: string;
  x: number;
  y: number;
}

function ceilings(chart: Chart, x: Scaled, lines: Column[], factor: number): Ceiling[] {
  return lines.flatMap((line, k) =>
    numbers(line).flatMap((value, i) => {
      const at = x.values[i];
      if (value === null || at == null || !(value > 0 && at > 0)) return [];
      return [{ line: label_of(chart.labels?.[k], chart.y[k]!), x: at, y: value / factor }];
    }),
  );
}

export const read_log_log: Reader = (result, chart) => {
  const across = read_column(result, chart.x, 'positions');
  const lines = chart.y.map((path) => read_column(result, path, 'ceilings'));
  same_length(across, ...lines);
  const has_points = Boolean(chart.points_x && chart.points_y);
  const point_x = has_points ? read_column(result, chart.points_x, 'points') : undefined;
  const point_y = has_points ? read_column(result, chart.points_y, 'points') : undefined;
  const beside = (column: Column | undefined) => (column ? [column] : []);
  const x = scaled(across, label_of(chart.x_label, chart.x ?? ''), ...beside(point_x));
  const y = scaled(lines[0]!, label_of(chart.y_label, chart.y[0]!), ...lines, ...beside(point_y));
  let notes: string[] = [];
  let rows: Row[] = [];
  if (point_x && point_y) {
    const name = optional_column(result, chart.name);
    const marked = optional_column(result, chart.marked);
    same_length(point_x, point_y, name, marked);
    const at = scaled(point_x, '', across);
    const height = scaled(point_y, '', ...lines);
    rows = rows_of(at, height, name, marked, true);
    notes = name_some(rows, [true, true]);
  }
  const ceiling_rows = ceilings(chart, x, lines, y.step.factor);
  if (rows.length + ceiling_rows.length === 0)
    throw new NotDrawable('nothing in it is greater than zero.');
  const names = [...new Set(ceiling_rows.map((row) => row.line))];
  return {
    names,
    notes,
    spec: (width) => {
      const axes = {
        x: axis(x.title, true, tick_count(width)),
        y: axis(y.title, true, 6),
      };
      const layer = {
        data: { values: ceiling_rows },
        mark: { type: 'line', strokeWidth: 1.75 },
        encoding: {
          x: { field: 'x', type: 'quantitative', ...axes.x },
          y: { field: 'y', type: 'quantitative', ...axes.y },
          color: {
            field: 'line',
            type: 'nominal',
            sort: null,
            // The second colour belongs to the points.
            scale: { domain: names, range: names.map((_, k) => series_var(k === 0 ? 0 : k + 1)) },
          },
        },
      };
      return framed(width, [layer, ...point_layers(rows, axes, false)]);
    },
  };
};
