// How a number came about: its formula and inputs, in a dialog, on a click on the number.

import type { Derivation, DerivationInput, ReportDocument } from './document';
import { element } from './element';
import { find } from './paths';
import { format_number, format_value, unit_of } from './units';

function bare_key(key: string): string {
  return key.replace(/^\.?result\./, '');
}

/** A value with its prefix where its key or unit names a known unit, else as it stands. */
export function input_text(input: DerivationInput): string {
  const { value } = input;
  if (value === null || value === undefined) return 'n/a';
  if (typeof value !== 'number') return String(value);
  const unit = unit_of(input.key ?? '');
  if (unit.id) return format_value(value, unit);
  const text = format_number(value, 4);
  return input.unit && input.unit !== '1' ? `${text}\u00a0${input.unit}` : text;
}

/** The number as the file has it, for whoever checks the formula. */
function exact_text(input: DerivationInput): string {
  return `${String(input.value)}${input.unit ? ` ${input.unit}` : ''}`;
}

class DerivationDialog {
  private readonly dialog = element('dialog', {
    class: 'derivation',
    'aria-labelledby': 'derivation-title',
  });
  private readonly by_key: Map<string, Derivation>;
  private trail: string[] = [];

  constructor(private readonly page: ReportDocument) {
    this.by_key = new Map(page.derivations.map((entry) => [bare_key(entry.key), entry]));
    document.body.append(this.dialog);
    // A click on the backdrop has the dialog itself as its target.
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  has(key: string): boolean {
    return this.by_key.has(bare_key(key));
  }

  open(key: string): void {
    this.trail = [bare_key(key)];
    this.fill();
    this.dialog.showModal();
  }

  private fill(): void {
    const key = this.trail[this.trail.length - 1]!;
    const entry = this.by_key.get(key);
    if (!entry) return;
    const parts: Node[] = [this.head(key), element('p', { class: 'formula' }, entry.formula)];
    if (entry.inputs?.length) parts.push(this.inputs(entry.inputs));
    if (entry.drivers?.length) parts.push(this.drivers(entry.drivers));
    this.dialog.replaceChildren(...parts);
    this.dialog.scrollTop = 0;
  }

  private head(key: string): HTMLElement {
    const found = find(this.page.result, key);
    const value =
      found.type === 'scalar' && typeof found.value === 'number' ? found.value : undefined;
    const close = element(
      'button',
      { type: 'button', class: 'close', 'aria-label': 'Close' },
      '\u00d7',
    );
    close.addEventListener('click', () => this.dialog.close());
    const title = element('h2', { id: 'derivation-title' }, element('code', {}, key));
    if (value !== undefined) {
      title.append(
        element(
          'span',
          { class: 'value', title: String(value) },
          ` = ${format_value(value, unit_of(key))}`,
        ),
      );
    }
    const head = element('div', { class: 'head' }, title, close);
    if (this.trail.length > 1) {
      const back = element('button', { type: 'button', class: 'link' }, '\u2190 back');
      back.addEventListener('click', () => {
        this.trail.pop();
        this.fill();
        close.focus();
      });
      head.prepend(back);
    }
    return head;
  }

  private inputs(inputs: DerivationInput[]): HTMLElement {
    const rows = inputs.map((input) => {
      const value = element('td', { class: 'number', title: exact_text(input) }, input_text(input));
      return element(
        'tr',
        {},
        element('th', { scope: 'row' }, input.symbol),
        value,
        element('td', {}, this.key_cell(input.key ?? '')),
        element('td', {}, input.source ?? ''),
      );
    });
    const names = ['Symbol', 'Value', 'Key', 'Source'].map((name) =>
      element('th', { scope: 'col' }, name),
    );
    names[1]!.className = 'number';
    const table = element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...names)),
      element('tbody', {}, ...rows),
    );
    return element('div', { class: 'scroll' }, table);
  }

  /** An input that has a derivation of its own leads on to it. */
  private key_cell(key: string): Node {
    const code = element('code', {}, key);
    if (!key || !this.has(key) || this.trail.includes(bare_key(key))) return code;
    const link = element('button', { type: 'button', class: 'link' }, code);
    link.addEventListener('click', () => {
      this.trail.push(bare_key(key));
      this.fill();
      this.dialog.querySelector<HTMLElement>('.close')?.focus();
    });
    return link;
  }

  private drivers(drivers: { id: string; share: number }[]): HTMLElement {
    const sorted = [...drivers].sort((a, b) => b.share - a.share);
    const rows = sorted.map(({ id, share }) => {
      const bar = element('span', { class: 'share' });
      bar.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
      return element(
        'tr',
        {},
        element('th', { scope: 'row' }, id),
        element('td', { class: 'number' }, `${format_number(share * 100)}\u202f%`),
        element('td', { class: 'track' }, bar),
      );
    });
    const caption = element('caption', {}, 'What its uncertainty comes from');
    return element('table', { class: 'drivers' }, caption, element('tbody', {}, ...rows));
  }
}

/** The part of an element that becomes the button: its value, without the range beside it. */
function button_in(holder: HTMLElement): HTMLButtonElement {
  const place = holder.querySelector<HTMLElement>('.value') ?? holder;
  const button = element('button', { type: 'button', class: 'derive', 'aria-haspopup': 'dialog' });
  button.title = 'How this number came about';
  const aside = [...place.childNodes].filter(
    (node) => node instanceof Element && node.matches('.range'),
  );
  button.append(...[...place.childNodes].filter((node) => !aside.includes(node)));
  place.prepend(button);
  if (aside.length > 0) button.after(' ');
  return button;
}

export function prepare_derivations(page: ReportDocument): void {
  const dialog = new DerivationDialog(page);
  for (const holder of document.querySelectorAll<HTMLElement>('[data-key]')) {
    const key = holder.dataset['key'] ?? '';
    if (!dialog.has(key)) continue;
    holder.classList.add('derivable');
    button_in(holder).addEventListener('click', () => dialog.open(key));
  }
}
