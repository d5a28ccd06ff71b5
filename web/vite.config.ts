import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const API = process.env.PLIMSOLL_API ?? 'http://127.0.0.1:8787';

/** Everything is served from one origin under a policy that forbids inline scripts. */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    // Fonts and pictures stay files: the content security policy allows no data: addresses but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/users', '/admin', '/health', '/docs', '/openapi.json'].map((path) => [path, API]),
    ),
  },
});
