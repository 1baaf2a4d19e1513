import { describe, expect, it } from 'vitest';
import { grows_by_factors, run_length, stack } from '../src/charts/areas';
import { axis_title, NotDrawable, read_plot } from '../src/charts/data';
import { rolling_mean, values_per_day } from '../src/charts/day_mean';
import { tick_labels } from '../src/charts/time_text';
import type { Chart } from '../src/document';
import { unit_of } from '../src/units';

const chart = (parts: Partial<Chart>): Chart => ({
  key: 'k',
  title: 't',
  kind: 'lines',
  y: [],
  ...parts,
});
const line = (values: (number | null)[]) => ({ label: 'l', unit: unit_of('a_w'), values });

describe('read_plot', () => {
  it('puts series of different starts on the union of their instants', () => {
    const result = {
      a_w: { start: '1970-01-01T00:00:00Z', step_s: 60, values: [1, 2] },
      b_w: { start: '1970-01-01T00:01:00Z', step_s: 60, values: [3, 4] },
    };
    const plot = read_plot(result, chart({ y: ['a_w', 'b_w'] }));
    expect(plot.x).toEqual({ type: 'time', values: [0, 60, 120] });
    expect(plot.lines.map((each) => each.values)).toEqual([
      [1, 2, null],
      [null, 3, 4],
    ]);
  });

  it('reads the interval beside a column and keeps what the rows lack as gaps', () => {
    const result = {
      options: [
        { name: 'a', d_kgco2e: 1, d_kgco2e_range: { low: 0, high: 2 } },
        { name: 'b', d_kgco2e: 3 },
      ],
    };
    const plot = read_plot(
      result,
      chart({ kind: 'interval_bars', x: 'options.name', y: ['options.d_kgco2e'] }),
    );
    expect(plot.lines[0]).toMatchObject({ values: [1, 3], low: [0, null], high: [2, null] });
  });

  it('makes one bar of each single value', () => {
    const plot = read_plot(
      { a_s: 1, b_s: 2 },
      chart({ kind: 'bars', y: ['a_s', 'b_s'], labels: ['A', 'B'] }),
    );
    expect(plot.x).toEqual({ type: 'category', values: ['A', 'B'] });
    expect(plot.lines.map((each) => each.values)).toEqual([[1, 2]]);
  });

  it('says why nothing can be drawn, and what of a chart is left out', () => {
    const result = { rows: [{ x: 1, a_w: null, b_w: 2 }], empty: [] };
    const draw = (x: string, y: string[]) => () => read_plot(result, chart({ x, y }));
    expect(draw('rows.x', ['rows.a_w'])).toThrow('holds no number');
    expect(draw('rows.x', ['rows.nope_w'])).toThrow('the result has no \u201crows.nope_w\u201d');
    expect(draw('rows.nope', ['rows.b_w'])).toThrow(NotDrawable);
    expect(draw('rows.x', [])).toThrow('names no values');
    expect(
      read_plot(result, chart({ x: 'rows.x', y: ['rows.b_w', 'rows.a_w'] })).notes,
    ).toHaveLength(1);
  });
});

describe('axis_title', () => {
  it('replaces a unit given in brackets by the one that is drawn', () => {
    expect(axis_title('power (W)', 'MW')).toBe('power (MW)');
    expect(axis_title('', 'MW')).toBe('MW');
    expect(axis_title('share (of all)', '')).toBe('share (of all)');
  });
});

describe('stack', () => {
  it('stacks below zero apart, and leaves a gap where one value is missing', () => {
    expect(stack([line([1, 1]), line([-2, null]), line([3, 3])])).toEqual([
      [[0, 1], null],
      [[0, -2], null],
      [[1, 4], null],
    ]);
  });
});

describe('thinning', () => {
  const hours = (count: number) => ({
    type: 'time' as const,
    values: Array.from({ length: count }, (_, i) => i * 3600),
  });

  it('takes whole parts or multiples of a day, so that no beat with the day appears', () => {
    expect([900, 1700, 5000, 10000].map((count) => run_length(hours(count), 900))).toEqual([
      1, 2, 6, 24,
    ]);
  });

  it('averages over whole days only', () => {
    expect(values_per_day(hours(48).values)).toBe(24);
    expect(values_per_day([0, 3600, 9000])).toBeUndefined();
    expect(rolling_mean([1, 2, 3, null, 5, 6, 7], 2)).toEqual([
      1.5,
      2.5,
      null,
      null,
      5.5,
      6.5,
      null,
    ]);
  });
});

describe('grows_by_factors', () => {
  it('tells powers of two from equal steps', () => {
    expect(grows_by_factors([32, 64, 128, 256, 512, 1024])).toBe(true);
    expect(grows_by_factors([1, 10, 20, 30, 40])).toBe(false);
    expect(grows_by_factors([0, 1, 10, 100])).toBe(false);
  });
});

describe('tick_labels', () => {
  it('adds the larger part of a date where it changes', () => {
    const day = Date.UTC(2026, 11, 31) / 1000;
    expect(tick_labels([day, day + 86400], 86400)).toEqual(['31 Dec\n2026', '1 Jan\n2027']);
    expect(tick_labels([day, day + 21600], 21600)).toEqual(['00:00\n31 Dec 2026', '06:00']);
  });
});
