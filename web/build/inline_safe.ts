import type { Plugin } from 'vite';

// Sequences that end, or change the parsing of, an inline <script> or <style> element.
const kForbidden: Record<string, RegExp[]> = {
  '.js': [/<\/script/i, /<!--/],
  '.css': [/<\/style/i, /@import/i, /url\(\s*["']?(?!data:)/i],
};

/** Fails the build when the bundle can't be written inline into a page, or is too large. */
export function inline_safe(limits: { max_bytes: number }): Plugin {
  return {
    name: 'inline-safe',
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const [name, output] of Object.entries(bundle)) {
        const text = output.type === 'chunk' ? output.code : String(output.source);
        const extension = name.slice(name.lastIndexOf('.'));
        for (const pattern of kForbidden[extension] ?? []) {
          const found = pattern.exec(text);
          if (found) {
            const near = text.slice(Math.max(0, found.index - 40), found.index + 40);
            this.error(`${name} contains ${pattern}, which is unsafe inline, near: ${near}`);
          }
        }
        if (text.length > limits.max_bytes) {
          this.error(`${name}: expected at most ${limits.max_bytes} bytes, got ${text.length}`);
        }
      }
    },
  };
}
