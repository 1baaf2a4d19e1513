import { compile } from 'vega-lite';
import { describe, expect, it } from 'vitest';
import { is_logarithmic, label_of, scaled, type Drawing } from '../src/charts/columns';
import { NotDrawable, read_plot } from '../src/charts/data';
import { read_heat_map } from '../src/charts/heat_map';
import { name_some, read_log_log, read_scatter, type Row } from '../src/charts/points';
import { stacked_bars } from '../src/charts/stacked_bars';
import { read_timeline } from '../src/charts/timeline';
import type { Chart } from '../src/document';
import { series_shade } from '../src/theme';
import { unit_of } from '../src/units';

const chart = (parts: Partial<Chart>): Chart => ({
  key: 'k',
  title: 't',
  kind: 'timeline',
  y: [],
  ...parts,
});
/** The specification compiles; returns it for a look inside. */
const spec_of = (drawing: Drawing): any => {
  const spec = drawing.spec(800);
  expect(compile(spec).spec.marks?.length).toBeGreaterThan(0);
  return spec;
};

describe('timeline', () => {
  const tasks = [
    { lane: 'b', name: 'forward', start_s: 0, end_s: 0.002 },
    { lane: 'a', name: 'backward', start_s: 0.002, end_s: 0.004 },
    { lane: 'a', name: 'forward', start_s: null, end_s: 0.004 },
  ];
  const of_tasks = chart({ x: 'tasks.lane', y: ['tasks.start_s', 'tasks.end_s'], name: 'tasks.name' });

  it('has lanes in the order of the rows and times in one unit', () => {
    const spec = spec_of(read_timeline({ tasks }, of_tasks));
    expect(spec.encoding.y.scale.domain).toEqual(['b', 'a']);
    expect(spec.encoding.x.title).toBe('ms');
    expect(spec.data.values).toHaveLength(2);
    expect(spec.data.values[1]).toMatchObject({ lane: 'a', start: 2, end: 4 });
  });

  it('says why it is not drawn', () => {
    expect(() => read_timeline({ tasks }, chart({ x: 'tasks.lane' }))).toThrow('starts');
    expect(() => read_timeline({ tasks: [] }, of_tasks)).toThrow(NotDrawable);
    expect(() => read_timeline({ tasks: [{ ...tasks[2] }] }, of_tasks)).toThrow('both');
  });
});

describe('stacked bars', () => {
  const parts = chart({ kind: 'stacked_bars', x: 'p.name', y: ['p.a_s', 'p.b_s'] });
  const panel = (rows: object[]) => {
    const plot = read_plot({ p: rows }, parts);
    return { plot, lines: plot.lines, width: 800 };
  };

  it('have totals, unless a part is missing', () => {
    const spec: any = stacked_bars(
      panel([
        { name: 'x', a_s: 1, b_s: 2 },
        { name: 'y', a_s: 1, b_s: null },
      ]),
    );
    expect(spec.layer[1].data.values.map((row: any) => row.text)).toEqual(['3', 'n/a']);
    expect(compile(spec).spec.marks?.length).toBeGreaterThan(0);
  });

  it('refuse negative parts', () => {
    expect(() => stacked_bars(panel([{ name: 'x', a_s: -1, b_s: 2 }]))).toThrow('negative');
  });
});

describe('scatter', () => {
  it('joins the marked points in order of x', () => {
    const plans = [
      { name: 'late', t_s: 4, e_kwh: 1, front: true },
      { name: 'no', t_s: 3, e_kwh: 9, front: false },
      { name: 'early', t_s: 1, e_kwh: 5, front: true },
    ];
    const drawing = read_scatter(
      { plans },
      chart({ x: 'plans.t_s', y: ['plans.e_kwh'], name: 'plans.name', marked: 'plans.front' }),
    );
    const spec = spec_of(drawing);
    expect(spec.layer[1].data.values.map((row: Row) => row.name)).toEqual(['early', 'late']);
    expect(spec.layer[0].data.values).toHaveLength(1);
    expect(spec.layer[0].encoding.x.scale.type).toBeUndefined();
  });

  it('names the points that have room, and says how many have none', () => {
    const row = (x: number, y: number, marked = true): Row => ({
      x,
      y,
      name: `p${x}`,
      label: '',
      right: false,
      marked,
      tip: '',
    });
    const rows = [row(0, 0), row(1, 0.01), row(1.5, 1, false), row(50, 1), row(100, 0)];
    expect(name_some(rows, [false, false])).toEqual([
      'The names of 1 more marked points show when one points at them',
    ]);
    expect(rows.map((each) => each.label)).toEqual(['p0', '', '', 'p50', 'p100']);
    expect(rows[4]!.right).toBe(true);
  });
});

describe('heat map', () => {
  const cells = chart({ kind: 'heat_map', x: 'c.x', y: ['c.y'], colour: 'c.time_s' });

  it('shows the last value of a place and counts the others', () => {
    const c = [
      { x: 1, y: 1, time_s: 5 },
      { x: 2, y: 1, time_s: 6 },
      { x: 1, y: 1, time_s: 7 },
    ];
    const drawing = read_heat_map({ c }, cells);
    const spec = spec_of(drawing);
    expect(drawing.names).toEqual(['time (s)']);
    expect(drawing.notes).toEqual(['Values behind others of their place: 1']);
    expect(spec.data.values.map((cell: any) => cell.value)).toEqual([6, 7]);
  });

  it('survives equal values', () => {
    const spec = spec_of(read_heat_map({ c: [{ x: 1, y: 1, time_s: 5 }] }, cells));
    expect(spec.layer[0].encoding.opacity.scale.range).toEqual([0.5, 0.5]);
  });
});

describe('log-log', () => {
  const roof = chart({
    kind: 'log_log',
    x: 'c.at',
    y: ['c.chip_flop_per_s'],
    points_x: 'w.at',
    points_y: 'w.rate_flop_per_s',
    name: 'w.name',
    marked: 'w.shown',
  });
  const c = [
    { at: 0, chip_flop_per_s: 1e12 },
    { at: 1, chip_flop_per_s: 3e12 },
    { at: 100, chip_flop_per_s: 3e14 },
  ];

  it('has its lines and points in the same units, and nothing at zero', () => {
    const w = [{ name: 'matmul', at: 10, rate_flop_per_s: 2e13, shown: true }];
    const spec = spec_of(read_log_log({ c, w }, roof));
    expect(spec.layer[0].data.values).toHaveLength(2);
    expect(spec.layer[0].data.values[1].y).toBe(300);
    expect(spec.layer[2].data.values[0].y).toBe(20);
    expect(spec.layer[2].data.values[0].label).toBe('matmul');
  });

  it('says when nothing is left', () => {
    const nothing = { c: [{ at: 0, chip_flop_per_s: 1 }], w: [] };
    expect(() => read_log_log(nothing, { ...roof, points_x: '', points_y: '' })).toThrow('zero');
  });
});

describe('columns', () => {
  it('are named without their unit', () => {
    expect(label_of('', 'grid.iteration_s')).toBe('iteration');
    expect(label_of('', 'grid.rate_flop_per_s')).toBe('rate');
    expect(label_of('', 'grid.tensor_parallel')).toBe('tensor parallel');
    expect(label_of('given', 'grid.x_s')).toBe('given');
  });

  it('are scaled by the largest of all that share the axis', () => {
    const column = (values: unknown[]) => ({ unit: unit_of('a_s'), values });
    const small = scaled(column([0.001]), '', column([0.5]));
    expect(small.values).toEqual([1]);
    expect(scaled(column([1]), '', column([7200])).step.name).toBe('h');
  });

  it('are compared by factors when they span some', () => {
    expect(is_logarithmic([1, null, 50])).toBe(true);
    expect(is_logarithmic([1, 49])).toBe(false);
    expect(is_logarithmic([0, 50])).toBe(false);
  });
});

it('more names than colours have paler shades', () => {
  expect(series_shade(0)).toBe('var(--series-1)');
  expect(series_shade(7)).toContain('color-mix');
  expect(new Set(Array.from({ length: 21 }, (_, i) => series_shade(i))).size).toBe(21);
});
