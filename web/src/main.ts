import 'uplot/dist/uPlot.min.css';
import './style/page.css';
import './style/parts.css';
import './style/charts.css';
import { draw_charts } from './charts/draw';
import { prepare_derivations } from './derivations';
import { read_document } from './document';
import { element } from './element';
import { prepare_tables } from './tables';

async function start(): Promise<void> {
  prepare_tables(document);
  try {
    const page = read_document(document.getElementById('greenline-data'));
    prepare_derivations(page);
    await draw_charts(page);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `The charts and derivations of this page can't be shown: ${reason}. The text and tables are complete.`;
    document.body.prepend(element('p', { class: 'page-error', role: 'alert' }, text));
  }
  // Whoever automates a browser waits for this instead of guessing a delay.
  document.documentElement.dataset['ready'] = 'true';
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => void start());
else void start();
