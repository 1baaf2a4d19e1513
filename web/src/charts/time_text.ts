// Instants as text, always in UTC: a report reads the same wherever it is opened.

function two(value: number): string {
  return String(value).padStart(2, '0');
}

const kMonths = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

/** "2026-01-31 13:00" of seconds since 1970. */
export function format_instant(seconds: number): string {
  const date = new Date(seconds * 1000);
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const rest = date.getUTCSeconds() ? `:${two(date.getUTCSeconds())}` : '';
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}${rest}`;
}

/** Names for instants used as categories: months, days or moments, as short as stays exact. */
export function instant_names(seconds: number[]): string[] {
  const dates = seconds.map((value) => new Date(value * 1000));
  if (!seconds.every((value) => value % 86400 === 0)) return seconds.map(format_instant);
  if (dates.every((date) => date.getUTCDate() === 1)) {
    return dates.map((date) => `${kMonths[date.getUTCMonth()]} ${date.getUTCFullYear()}`);
  }
  return seconds.map((value) => format_instant(value).slice(0, 10));
}

/**
 * Labels of axis ticks: the hour, day, month or year that the spacing asks for, with the larger
 * part (date, year) on a second line where it changes.
 */
export function tick_labels(ticks: number[], spacing_s: number): string[] {
  let above = '';
  return ticks.map((tick) => {
    const date = new Date(tick * 1000);
    const year = String(date.getUTCFullYear());
    const day = `${date.getUTCDate()} ${kMonths[date.getUTCMonth()]}`;
    const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
    let text: string;
    let larger: string;
    if (spacing_s < 60)
      [text, larger] = [`${clock}:${two(date.getUTCSeconds())}`, `${day} ${year}`];
    else if (spacing_s < 86400) [text, larger] = [clock, `${day} ${year}`];
    else if (spacing_s < 28 * 86400) [text, larger] = [day, year];
    else if (spacing_s < 365 * 86400) [text, larger] = [kMonths[date.getUTCMonth()]!, year];
    else [text, larger] = [year, ''];
    const changed = larger !== above;
    above = larger;
    return changed && larger ? `${text}\n${larger}` : text;
  });
}
