// Paths into a result: "hours.energy_kwh" is the column energy_kwh of the table hours.

import { is_record } from './document';

/** Equally spaced values from a first instant; a null value is a gap. */
export interface Series {
  start_ms: number;
  step_s: number;
  values: unknown[];
}

export type Found =
  | { type: 'column'; values: unknown[] }
  | { type: 'series'; series: Series }
  | { type: 'scalar'; value: unknown }
  | { type: 'missing' };

/** Milliseconds since 1970 of an ISO 8601 text, or undefined. A text without a zone is UTC. */
export function parse_instant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      value,
    );
  if (!match) return undefined;
  const instant = Date.parse(`${match[1]}T${match[2] ?? '00:00'}${match[3] ?? 'Z'}`);
  return Number.isNaN(instant) ? undefined : instant;
}

function as_series(value: unknown): Series | undefined {
  if (!is_record(value)) return undefined;
  const { start, step_s, values } = value;
  const start_ms = parse_instant(start);
  if (start_ms === undefined || typeof step_s !== 'number' || !Array.isArray(values)) {
    return undefined;
  }
  return { start_ms, step_s, values };
}

/** Walks one value. A key may itself hold dots ("v4.0"), so longer keys are tried after shorter. */
function walk(value: unknown, segments: string[]): unknown {
  if (segments.length === 0) return value;
  if (Array.isArray(value)) {
    const index = Number(segments[0]);
    if (Number.isInteger(index) && index >= 0) return walk(value[index], segments.slice(1));
    return value.flatMap((row) => {
      const inner = walk(row, segments);
      return Array.isArray(inner) ? inner : [inner];
    });
  }
  if (!is_record(value)) return undefined;
  for (let length = 1; length <= segments.length; ++length) {
    const key = segments.slice(0, length).join('.');
    if (Object.hasOwn(value, key)) return walk(value[key], segments.slice(length));
  }
  return undefined;
}

/** What stands at `path`. A column keeps one entry per row: undefined where a row lacks the key. */
export function find(result: unknown, path: string): Found {
  const segments = path.replace(/^\.?result\./, '').split('.');
  const value = walk(result, segments);
  if (value === undefined) return { type: 'missing' };
  const series = as_series(value);
  if (series) return { type: 'series', series };
  if (Array.isArray(value)) {
    const known = value.some((entry) => entry !== undefined);
    return known ? { type: 'column', values: value } : { type: 'missing' };
  }
  return { type: 'scalar', value };
}
