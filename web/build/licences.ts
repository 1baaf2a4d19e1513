import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface Package {
  name: string;
  version: string;
  licence: string;
  repository: string;
  text: string;
}

function package_folder(module_id: string): string | undefined {
  const match = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module_id);
  return match?.[1];
}

function read_package(folder: string): Package {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
    repository?: string | { url?: string };
  };
  const { repository = '' } = manifest;
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)/i.test(name));
  const text = file ? readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim() : '';
  return {
    name: manifest.name,
    version: manifest.version,
    licence: manifest.license ?? '',
    repository: typeof repository === 'string' ? repository : (repository.url ?? ''),
    text,
  };
}

/** Packages of one repository share its licence, though not each of them carries the text. */
function share_texts(packages: Package[]): Package[] {
  return packages.map((entry) => {
    if (entry.text !== '' || entry.repository === '') return entry;
    const sibling = packages.find(
      (other) =>
        other.text !== '' &&
        other.repository === entry.repository &&
        other.licence === entry.licence,
    );
    return sibling ? { ...entry, text: sibling.text } : entry;
  });
}

function notices(packages: Package[]): string {
  const by_text = new Map<string, Package[]>();
  for (const entry of packages) {
    by_text.set(entry.text, [...(by_text.get(entry.text) ?? []), entry]);
  }
  const blocks = [...by_text].map(([text, group]) => {
    const names = group.map((entry) => `${entry.name} ${entry.version} (${entry.licence})`);
    return `${names.join('\n')}\n\n${text}\n`;
  });
  return `The report script contains these libraries.\n\n${blocks.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

/**
 * Emits report.LICENSES.txt, and puts the same notices at the head of the script: a report is a
 * copy of the libraries, and their licences ask that every copy carries the notice.
 */
export function licences(): Plugin {
  return {
    name: 'licences',
    enforce: 'post',
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        for (const id of Object.keys(output.modules)) {
          const folder = package_folder(id);
          if (folder && existsSync(join(folder, 'package.json'))) folders.add(folder);
        }
      }
      const found = [...folders].map(read_package);
      found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      const packages = share_texts(found);
      const silent = packages.filter((entry) => entry.text === '' || entry.licence === '');
      if (silent.length > 0) {
        const names = silent.map((entry) => entry.name).join(', ');
        this.error(`expected a licence text and name in each bundled package, none in: ${names}`);
      }
      const text = notices(packages);
      this.emitFile({ type: 'asset', fileName: 'report.LICENSES.txt', source: text });
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') output.code = `/*!\n${text}*/\n${output.code}`;
      }
    },
  };
}
