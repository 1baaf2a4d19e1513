import { describe, expect, it } from 'vitest';
import { find, parse_instant } from '../src/paths';

const result = {
  energy_kwh: 12,
  operational: { location_kgco2e: 5, location_kgco2e_range: { low: 4, high: 6 } },
  hours: [
    { start: '2026-01-01T00:00:00Z', energy_kwh: 1 },
    { start: '2026-01-01T01:00:00Z' },
    { start: '2026-01-01T02:00:00Z', energy_kwh: null },
  ],
  sites: [{ hours: [{ mean_w: 1 }, { mean_w: 2 }] }, { hours: [{ mean_w: 3 }] }],
  power_w: { start: '2026-01-01T00:00:00Z', step_s: 900, values: [1, null, 3] },
  models: { 'llama-3.1': { layers: 80 } },
  nothing: [],
};

describe('find', () => {
  it('reads a value, with or without the leading "result."', () => {
    expect(find(result, 'energy_kwh')).toEqual({ type: 'scalar', value: 12 });
    expect(find(result, 'result.operational.location_kgco2e')).toEqual({
      type: 'scalar',
      value: 5,
    });
  });

  it('maps over the rows of a table and keeps a place for a row without the key', () => {
    expect(find(result, 'hours.energy_kwh')).toEqual({
      type: 'column',
      values: [1, undefined, null],
    });
  });

  it('joins the rows of nested tables in order, and takes one row by its index', () => {
    expect(find(result, 'sites.hours.mean_w')).toEqual({ type: 'column', values: [1, 2, 3] });
    expect(find(result, 'sites.1.hours.mean_w')).toEqual({ type: 'column', values: [3] });
  });

  it('recognises a series', () => {
    expect(find(result, 'power_w')).toEqual({
      type: 'series',
      series: { start_ms: Date.UTC(2026, 0, 1), step_s: 900, values: [1, null, 3] },
    });
  });

  it('reads keys that hold dots', () => {
    expect(find(result, 'models.llama-3.1.layers')).toEqual({ type: 'scalar', value: 80 });
  });

  it('says that a path is missing, also one that leads through a number or a prototype', () => {
    for (const path of [
      'nope',
      'energy_kwh.deeper',
      'hours.nope',
      'constructor',
      'operational.toString',
    ]) {
      expect(find(result, path), path).toEqual({ type: 'missing' });
    }
  });
});

describe('parse_instant', () => {
  it('reads UTC, offsets and dates; text without a zone is UTC', () => {
    expect(parse_instant('2026-01-01T06:00:00Z')).toBe(Date.UTC(2026, 0, 1, 6));
    expect(parse_instant('2026-01-01T06:00:00+02:00')).toBe(Date.UTC(2026, 0, 1, 4));
    expect(parse_instant('2026-01-01T06:00')).toBe(Date.UTC(2026, 0, 1, 6));
    expect(parse_instant('2026-01-01')).toBe(Date.UTC(2026, 0, 1));
  });

  it('refuses what only looks like an instant', () => {
    for (const text of ['2026', '2026-13-01', 'January', 20260101, null, '2026-01-01T']) {
      expect(parse_instant(text), String(text)).toBeUndefined();
    }
  });
});
