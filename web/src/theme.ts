// Colours come from the style sheet, so that light, dark and print are decided in one place.

// After the last colour, dash patterns tell lines apart.
const kSeriesColours = 7;

/** The custom property that holds a series colour. */
export function series_name(index: number): string {
  return `--series-${(index % kSeriesColours) + 1}`;
}

/** The `var()` of a series colour: SVG follows a change of theme by itself. */
export function series_var(index: number): string {
  return `var(${series_name(index)})`;
}

/** A fill for one of many: after the last colour the same again, paler. */
export function series_shade(index: number): string {
  const paler = Math.min(3, Math.floor(index / kSeriesColours));
  return paler === 0
    ? series_var(index)
    : `color-mix(in srgb, ${series_var(index)} ${100 - 28 * paler}%, var(--paper))`;
}

const kDashes: number[][] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

export function series_dash(index: number): number[] {
  return kDashes[Math.floor(index / kSeriesColours) % kDashes.length]!;
}

/** The present value of a custom property, for a canvas, which can't follow `var()`. */
export function css_value(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Calls `redraw` after the colours changed: another colour scheme, or to and from paper. */
export function on_theme_change(redraw: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  matchMedia('print').addEventListener('change', redraw);
}
