// Tables: sort by a click on a heading, fold long ones, align numbers.

import { element } from './element';
import { parse_instant } from './paths';
import { parse_quantity } from './units';

const kFoldedRows = 24;
const kAbsent = /^(|n\/a|none|[-\u2013\u2014\u2212])$/i;

type Sortable = number | string | null; // null: absent, always last

function body_rows(table: HTMLTableElement): HTMLTableRowElement[] {
  return [...(table.tBodies[0]?.rows ?? [])];
}

function heading_cells(table: HTMLTableElement): HTMLTableCellElement[] {
  const rows = table.tHead?.rows;
  return rows && rows.length > 0 ? [...rows[rows.length - 1]!.cells] : [];
}

function cell_text(row: HTMLTableRowElement, column: number): string {
  const cell = row.cells[column];
  return (cell?.dataset['value'] ?? cell?.textContent ?? '').trim();
}

function numeric_value(text: string): number | undefined {
  return parse_instant(text) ?? parse_quantity(text);
}

/** A column sorts by number only when every cell that says something is a number. */
function sort_keys(rows: HTMLTableRowElement[], column: number): Sortable[] {
  const texts = rows.map((row) => cell_text(row, column));
  const numbers = texts.map((text) => (kAbsent.test(text) ? null : numeric_value(text)));
  if (!numbers.includes(undefined)) return numbers as Sortable[];
  return texts.map((text) => (kAbsent.test(text) ? null : text));
}

const kCollator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function compare(a: Sortable, b: Sortable, sign: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * kCollator.compare(String(a), String(b));
}

/** Ascending, descending, then the order of the report again. */
function make_sortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const original = body_rows(table);
  if (!body || original.length < 2) return;
  heading_cells(table).forEach((heading, column, all) => {
    const button = element('button', { type: 'button', class: 'sort' });
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const before = heading.getAttribute('aria-sort');
      const next =
        before === 'ascending' ? 'descending' : before === 'descending' ? null : 'ascending';
      for (const other of all) other.removeAttribute('aria-sort');
      if (next === null) {
        body.append(...original);
        return;
      }
      heading.setAttribute('aria-sort', next);
      const keys = sort_keys(original, column);
      const order = original.map((_, i) => i);
      const sign = next === 'ascending' ? 1 : -1;
      order.sort((a, b) => compare(keys[a]!, keys[b]!, sign) || a - b);
      body.append(...order.map((i) => original[i]!));
    });
  });
}

/** The style sheet hides the rows after the 24th of a folded table, whatever their order. */
function fold(table: HTMLTableElement): void {
  const count = body_rows(table).length;
  if (count <= kFoldedRows) return;
  const frame = table.closest('.scroll') ?? table;
  const button = element('button', { type: 'button', class: 'unfold', 'aria-expanded': 'false' });
  const printed = element(
    'p',
    { class: 'print-only hint' },
    `The first ${kFoldedRows} of ${count} rows.`,
  );
  const show = (folded: boolean) => {
    table.classList.toggle('folded', folded);
    button.setAttribute('aria-expanded', String(!folded));
    button.textContent = folded
      ? `Show all ${count.toLocaleString('en')} rows`
      : `Show ${kFoldedRows} rows`;
    printed.hidden = !folded;
  };
  button.addEventListener('click', () => show(!table.classList.contains('folded')));
  show(true);
  frame.after(button, printed);
}

/** Numbers align right, under their headings, with figures of one width. */
function align_numbers(table: HTMLTableElement): void {
  const rows = body_rows(table);
  const sample = rows.slice(0, 200);
  heading_cells(table).forEach((heading, column) => {
    const texts = sample.map((row) => cell_text(row, column)).filter((text) => !kAbsent.test(text));
    if (texts.length === 0 || !texts.every((text) => parse_quantity(text) !== undefined)) return;
    heading.classList.add('number');
    for (const row of rows) row.cells[column]?.classList.add('number');
  });
}

/** A table wider than the page scrolls in its own frame, also by keyboard. */
function frame(table: HTMLTableElement): void {
  if (table.closest('.scroll')) return;
  const holder = element('div', { class: 'scroll' });
  table.replaceWith(holder);
  holder.append(table);
  const update = () => {
    if (holder.scrollWidth > holder.clientWidth + 1) {
      holder.tabIndex = 0;
      holder.setAttribute('role', 'region');
      holder.setAttribute('aria-label', table.caption?.textContent ?? 'Table, scrolls sideways');
    } else {
      holder.removeAttribute('tabindex');
      holder.removeAttribute('role');
      holder.removeAttribute('aria-label');
    }
  };
  new ResizeObserver(update).observe(holder);
}

export function prepare_tables(root: ParentNode): void {
  for (const table of root.querySelectorAll('table')) {
    align_numbers(table);
    frame(table);
    fold(table);
    if (table.classList.contains('sortable')) make_sortable(table);
  }
}
