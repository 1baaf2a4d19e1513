// A value for each pair of categories, as the strength of one colour.

import type { TopLevelSpec } from 'vega-lite';
import { format_number } from '../units';
import { distinct, label_of, read_column, same_length, scaled, texts, type Reader } from './columns';
import { NotDrawable } from './data';

const kMostNumbers = 200; // cells: beyond, numbers are shown on pointing only
const kNarrowestNumber = 44; // pixels

export const read_heat_map: Reader = (result, chart) => {
  const across = read_column(result, chart.x, 'columns');
  const down = read_column(result, chart.y[0], 'rows');
  const colour = read_column(result, chart.colour, 'colours');
  same_length(across, down, colour);
  const columns = texts(across);
  const rows = texts(down);
  const value = scaled(colour, label_of('', chart.colour ?? ''));
  // The last value of a place is the one that is seen.
  const cells = new Map<string, Record<string, unknown>>();
  let hidden = 0;
  columns.forEach((column, i) => {
    if (value.values[i] == null) return;
    const key = JSON.stringify([column, rows[i]]);
    if (cells.delete(key)) ++hidden;
    cells.set(key, {
      column,
      row: rows[i]!,
      value: value.values[i]!,
      text: format_number(value.values[i]!),
      tip: `${chart.x_label ?? ''} ${column}, ${chart.y_label ?? ''} ${rows[i]}: ${value.text(i)}`,
    });
  });
  const values = [...cells.values()];
  if (values.length === 0) throw new NotDrawable('no cell has a value.');
  const sizes = values.map((cell) => cell['value'] as number);
  const low = Math.min(...sizes);
  const high = Math.max(...sizes);
  const all_columns = distinct(columns);
  const all_rows = distinct(rows);
  const strong = low + 0.6 * (high - low);
  return {
    names: [value.title],
    notes: hidden > 0 ? [`Values behind others of their place: ${hidden}`] : [],
    spec: (width) => {
      const place = {
        x: {
          field: 'column',
          type: 'nominal',
          sort: null,
          scale: { domain: all_columns, padding: 0.04 },
          axis: { title: chart.x_label || null, labelAngle: 0, labelOverlap: true, grid: false },
        },
        y: {
          field: 'row',
          type: 'nominal',
          sort: null,
          scale: { domain: all_rows, padding: 0.04 },
          axis: { title: chart.y_label || null, labelLimit: width * 0.3, grid: false },
        },
        tooltip: { field: 'tip', type: 'nominal' },
      };
      const roomy =
        values.length <= kMostNumbers && (width * 0.8) / all_columns.length >= kNarrowestNumber;
      const number = {
        mark: { type: 'text', fontSize: 12 },
        encoding: {
          ...place,
          text: { field: 'text', type: 'nominal' },
          color: {
            condition: { test: `datum.value > ${strong}`, value: 'var(--paper)' },
            value: 'var(--ink)',
          },
        },
      };
      return {
        data: { values },
        width,
        height: Math.min(640, Math.max(40, 26 * all_rows.length)),
        autosize: { type: 'fit-x', contains: 'padding' },
        layer: [
          {
            mark: { type: 'rect', color: 'var(--series-1)' },
            encoding: {
              ...place,
              // Strength instead of hue: the colour itself follows the page's theme.
              opacity: {
                field: 'value',
                type: 'quantitative',
                title: value.title,
                scale: { domain: [low, high], range: low < high ? [0.1, 1] : [0.5, 0.5] },
                legend: { title: value.title, titleFontWeight: 'normal', symbolType: 'square' },
              },
            },
          },
          ...(roomy ? [number] : []),
        ],
      } as TopLevelSpec;
    },
  };
};
