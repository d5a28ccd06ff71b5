import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** Licences that ask for no more than that their text is kept with the code. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

export type LicenceReport = { packages: number; violations: string[] };

type Manifest = {
  name?: string;
  version?: string;
  license?: string | { type?: string };
  licenses?: { type?: string }[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/**
 * Checks every package that users of Plimsoll run: the production dependencies of the service and
 * what the dashboard's code imports, each with all that it depends on, as installed.
 */
export function checkLicences(root: string): LicenceReport {
  const seen = new Set<string>();
  const violations: string[] = [];
  const visit = (name: string, from: string, isOptional: boolean): void => {
    const folder = findPackage(name, from);
    if (!folder) {
      if (!isOptional) violations.push(`${name} is not installed (wanted by ${from})`);
      return;
    }
    if (seen.has(folder)) return;
    seen.add(folder);
    const manifest = readManifest(folder);
    const licence = licenceOf(manifest);
    if (!isAllowed(licence)) {
      violations.push(`${name} ${manifest.version}: ${licence || 'no licence'} is not allowed`);
    }
    for (const next of Object.keys(manifest.dependencies ?? {})) visit(next, folder, false);
    for (const next of Object.keys(manifest.optionalDependencies ?? {})) visit(next, folder, true);
  };
  for (const name of Object.keys(readManifest(root).dependencies ?? {})) visit(name, root, false);
  const web = join(root, 'web');
  for (const name of importedPackages(join(web, 'src'))) visit(name, web, false);
  return { packages: seen.size, violations };
}

/** Where Node would find the package from a folder. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (dirname(folder) === folder) return undefined;
  }
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

function licenceOf({ license, licenses }: Manifest): string {
  if (typeof license === 'string') return license;
  if (license?.type) return license.type;
  return (licenses ?? []).map(({ type }) => type ?? '').join(' OR ');
}

/**
 * An SPDX expression without nested groups: one choice of OR whose parts of AND are all allowed.
 */
function isAllowed(licence: string): boolean {
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((part) => ALLOWED.has(part.trim())));
}

const IMPORT = /\b(?:from|import)\s*\(?\s*['"](@?[a-z0-9][\w./-]*)['"]/g;

function importedPackages(folder: string): Set<string> {
  const names = new Set<string>();
  for (const file of globSync('**/*.{ts,tsx,css}', { cwd: folder })) {
    const source = readFileSync(join(folder, file), 'utf8');
    for (const match of source.matchAll(IMPORT)) {
      const parts = (match[1] ?? '').split('/');
      const name = parts.slice(0, parts[0]?.startsWith('@') ? 2 : 1).join('/');
      if (!name.startsWith('node:') && !builtinModules.includes(name)) names.add(name);
    }
  }
  return names;
}

if (import.meta.main) {
  const { packages, violations } = checkLicences(resolve(import.meta.dirname, '..'));
  for (const violation of violations) console.error(violation);
  if (packages === 0) console.error('No package was looked at');
  if (violations.length > 0 || packages === 0) process.exitCode = 1;
  else console.log(`Licences of ${packages} packages are allowed`);
}
