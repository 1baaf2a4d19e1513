// The result document that the page carries, as written by the report's producer.

export type ChartKind =
  | 'lines'
  | 'stacked_area'
  | 'bars'
  | 'interval_bars'
  | 'stacked_bars'
  | 'timeline'
  | 'scatter'
  | 'heat_map'
  | 'log_log';

export interface Chart {
  key: string;
  title: string;
  kind: ChartKind;
  x?: string;
  y: string[];
  labels?: string[];
  x_label?: string;
  y_label?: string;
  name?: string;
  marked?: string;
  colour?: string;
  points_x?: string;
  points_y?: string;
}

export interface DerivationInput {
  symbol: string;
  key?: string;
  value: unknown;
  unit?: string;
  source?: string;
}

export interface Derivation {
  key: string;
  formula: string;
  inputs?: DerivationInput[];
  drivers?: { id: string; share: number }[];
}

export interface ReportDocument {
  result: unknown;
  charts: Chart[];
  derivations: Derivation[];
}

export function is_record(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value.filter(is_record) as T[]) : [];
}

/** Throws an Error that says what is wrong when the page carries no readable document. */
export function read_document(element: Element | null): ReportDocument {
  if (!element) throw new Error('the page has no element "greenline-data"');
  const root: unknown = JSON.parse(element.textContent ?? '');
  if (!is_record(root)) throw new Error('the document is not a JSON object');
  const report = is_record(root['report']) ? root['report'] : {};
  return {
    result: root['result'],
    charts: list<Chart>(report['charts']),
    derivations: list<Derivation>(report['derivations']),
  };
}
