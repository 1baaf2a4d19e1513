// A year of hours is a band of ink; its mean over a day is the line that a reader looks for.

import type { Numbers } from './data';

const kDay = 86400;

/** Values per day where instants (seconds) are evenly spaced and divide a day in 4 or more parts. */
export function values_per_day(instants: number[]): number | undefined {
  const step = (instants[1] ?? 0) - (instants[0] ?? 0);
  const even = instants.every(
    (value, i) => i === 0 || Math.abs(value - instants[i - 1]! - step) < 1e-3,
  );
  const run = kDay / step;
  return even && Number.isInteger(run) && run >= 4 ? run : undefined;
}

/**
 * Mean over `run` values about each position; null near the ends and wherever one of them is
 * missing, since a mean of what is left would shift with the hour that is absent.
 */
export function rolling_mean(values: Numbers, run: number): Numbers {
  const means: Numbers = new Array<number | null>(values.length).fill(null);
  let sum = 0;
  let missing = 0;
  values.forEach((value, i) => {
    sum += value ?? 0;
    if (value === null) ++missing;
    const leaving = i >= run ? values[i - run] : undefined;
    if (leaving !== undefined) {
      sum -= leaving ?? 0;
      if (leaving === null) --missing;
    }
    if (i >= run - 1 && missing === 0) means[i - Math.floor(run / 2)] = sum / run;
  });
  return means;
}
