import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const API = process.env.PLIMSOLL_API ?? 'http://127.0.0.1:8787';

const LEAST_BYTES = 1024;

/** What only some pages show, and is large enough to be loaded with them. */
const LATER = /uplot|[\\/]src[\\/]charts[\\/]/;

/**
 * Lays files beside the built ones as browsers take them, so that nothing is compressed while
 * serving.
 */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      const file = join(dir, name);
      const bytes = readFileSync(file);
      if (bytes.length < LEAST_BYTES) continue;
      writeFileSync(`${file}.br`, brotliCompressSync(bytes));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
};

/** Everything is served from one origin under a policy that forbids inline scripts. */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  plugins: [react(), compressed],
  build: {
    target: 'es2023',
    // Fonts and pictures stay files: the content security policy allows no data: addresses but
    // pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    // One file of what pages share: on their own, a hundred small ones cost more than they weigh.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', minShareCount: 2, test: (id) => !LATER.test(id) }],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/users', '/admin', '/session', '/health', '/docs', '/openapi.json'].map((path) => [path, API]),
    ),
  },
});
