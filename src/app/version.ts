import { readFileSync } from 'node:fs';

const MANIFEST = new URL('../../package.json', import.meta.url);

/** From the package: shown by --version, health, metrics and the reference. */
export const { version: VERSION } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as {
  version: string;
};
