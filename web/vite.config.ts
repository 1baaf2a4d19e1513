import { defineConfig } from 'vite';
import { inline_safe } from './build/inline_safe';
import { licences } from './build/licences';

// One classic script and one style sheet, without hashes: the C++ build embeds both by name and
// writes them inline into every report.
export default defineConfig({
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  // ASCII output reads the same whatever charset a mail client or archive assumes.
  esbuild: { charset: 'ascii', legalComments: 'none' },
  build: {
    target: 'es2020',
    outDir: 'dist',
    emptyOutDir: true,
    minify: 'esbuild',
    cssCodeSplit: false,
    reportCompressedSize: false,
    lib: {
      entry: 'src/main.ts',
      name: 'greenline_report',
      formats: ['iife'],
      fileName: () => 'report.js',
      cssFileName: 'report',
    },
  },
  plugins: [licences(), inline_safe({ max_bytes: 1_200_000 })],
});
