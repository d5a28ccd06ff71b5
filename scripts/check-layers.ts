import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNames } from './check-names.ts';

/**
 * Which rooms of src/ a room may import, besides itself and `words`, which all may. ARCHITECTURE.md
 * says why.
 */
const ALLOWED: Record<string, readonly string[]> = {
  words: [],
  contract: [],
  domain: [],
  threads: [],
  network: ['domain'],
  storage: ['domain', 'threads'],
  platforms: ['domain', 'network', 'storage'],
  statements: ['domain', 'threads'],
  claims: ['domain', 'storage'],
  histories: ['domain', 'storage'],
  journal: ['domain', 'storage'],
  engine: ['claims', 'domain', 'journal', 'storage'],
  ingest: ['contract', 'domain', 'journal', 'storage', 'threads'],
  feeds: ['contract', 'domain', 'storage'],
  services: [
    'claims',
    'contract',
    'domain',
    'engine',
    'feeds',
    'histories',
    'ingest',
    'journal',
    'network',
    'platforms',
    'statements',
    'storage',
  ],
  workers: [
    'claims',
    'contract',
    'domain',
    'feeds',
    'ingest',
    'network',
    'platforms',
    'services',
    'storage',
  ],
  http: ['contract', 'histories', 'services'],
  cli: ['contract', 'services'],
  demo: ['domain', 'platforms', 'services'],
  app: [
    'claims',
    'cli',
    'contract',
    'demo',
    'domain',
    'engine',
    'feeds',
    'histories',
    'http',
    'ingest',
    'journal',
    'network',
    'platforms',
    'services',
    'statements',
    'storage',
    'threads',
    'workers',
  ],
  web: ['contract'],
};

/**
 * Files of a room that others than app may not import: drivers, and all of a platform but its port,
 * with what all kinds of platforms share.
 */
const PRIVATE: Record<string, (file: string) => boolean> = {
  storage: (file) => file.startsWith('drivers/'),
  platforms: (file) => file.includes('/'),
};

/** Reproducible rooms: app gives time and randomness to them. */
const REPEATABLE = new Set([
  ...[
    'claims',
    'contract',
    'domain',
    'engine',
    'feeds',
    'histories',
    'ingest',
    'journal',
    'services',
  ],
  'workers',
]);
/** These ask the machine itself: to share out a thread's time, and to reach a server of NATS. */
const ASKS_THE_MACHINE = new Set([
  ...['src/ingest/snapshot-thread.ts', 'src/services/turns.ts'],
  ...['src/journal/jetstream/make-stream.ts', 'src/journal/jetstream/nats-link.ts'],
]);
const MACHINE =
  /\b(?:Math\.random|Date\.now|performance\.now|Temporal\.Now|new Date\(\))|\bset(?:Timeout|Interval)\(|\bsetTimeout as\b/;

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g;

export type LayerReport = { files: number; imports: number; violations: string[] };

/**
 * Checks every import between the rooms under `root`/src and `root`/web/src, that no files import
 * each other in a circle, and that rooms which are given time and randomness use none of their own.
 * Tests are free.
 */
export function checkLayers(root: string): LayerReport {
  const report: LayerReport = { files: 0, imports: 0, violations: [] };
  const graph = new Map<string, string[]>();
  for (const file of [...sourcesOf(join(root, 'src')), ...sourcesOf(join(root, 'web', 'src'))]) {
    report.files += 1;
    const from = roomOf(root, file);
    const path = relative(root, file);
    const text = readFileSync(file, 'utf8');
    const asked = MACHINE.exec(text);
    if (asked && REPEATABLE.has(from?.room ?? '') && !ASKS_THE_MACHINE.has(path)) {
      report.violations.push(`${path}: ${asked[0]} is not handed in by app`);
    }
    const targets = importsOf(file, text);
    graph.set(
      path,
      targets.map((target) => relative(root, target)),
    );
    for (const target of targets) {
      const to = roomOf(root, target);
      if (!to) continue;
      report.imports += 1;
      const problem = problemOf(from, to);
      if (problem) report.violations.push(`${path}: ${problem}`);
    }
  }
  for (const circle of circlesIn(graph)) report.violations.push(`a circle: ${circle.join(' → ')}`);
  return report;
}

/** Imports that lead back to where they began, types included: one for each way back. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const follow = (file: string, way: readonly string[]): void => {
    const from = way.indexOf(file);
    if (from >= 0) circles.push([...way.slice(from), file]);
    if (from >= 0 || done.has(file)) return;
    for (const target of graph.get(file) ?? []) follow(target, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) follow(file, []);
  return circles;
}

type Place = { room: string; file: string };

function problemOf(from: Place | undefined, to: Place): string | undefined {
  if (!from || from.room === to.room) return undefined;
  const allowed = ALLOWED[from.room];
  if (!allowed) return `the room ${from.room} is not known to scripts/check-layers.ts`;
  if (to.room === 'words') return undefined;
  if (!allowed.includes(to.room)) return `${from.room} must not import ${to.room}/${to.file}`;
  const isPrivate = from.room !== 'app' && PRIVATE[to.room]?.(to.file);
  return isPrivate ? `only app may import ${to.room}/${to.file}` : undefined;
}

function roomOf(root: string, file: string): Place | undefined {
  const path = relative(root, file);
  if (path.startsWith('web/')) return { room: 'web', file: path };
  const [top, room, ...rest] = path.split('/');
  if (top !== 'src' || !room) return undefined;
  return { room, file: rest.join('/') };
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolve(dirname(file), specifier));
}

function sourcesOf(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|fixture)\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, imports, violations } = checkLayers(resolve(import.meta.dirname, '..'));
  const twice = checkNames(resolve(import.meta.dirname, '..')).violations;
  violations.push(...twice);
  for (const violation of violations) console.error(violation);
  const nothing = files === 0 || imports === 0;
  if (nothing) console.error('The layer check found no files: it looked at nothing');
  console.log(`layers: ${imports} imports between ${files} files, ${violations.length} violations`);
  process.exitCode = nothing || violations.length > 0 ? 1 : 0;
}
