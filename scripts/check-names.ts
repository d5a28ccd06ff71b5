import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Classes and functions that a file exports. */
const EXPORTED =
  /^export (?:async )?(?:class|function\*?) (\w+)|^export const (\w+) = (?:async )?(?:<[^>]*>)?\(/gm;
/** Each kind of platform names what it does as the port does; words of schemas are a language. */
const FREE = /^src\/(?:platforms\/[^/]+\/|contract\/primitives\.ts)/;
/** Continuous work, or work that waits for time. */
const GOES_ON = /domain\/(?:timekeeper|rounds)\.ts'|\.listen\(|^ {2}(?:async )?start\(/m;
/** Rooms whose folders are called like no room. */
const PARTED = ['services', 'workers'];

export type NameReport = { names: number; violations: string[] };

/**
 * One name for one thing: no two exported classes or functions of src/ have the same, and no two
 * rooms or parts of services and workers. And services has verbs alone, which end with their
 * request.
 */
export function checkNames(root: string): NameReport {
  const violations: string[] = [];
  const places = new Map<string, string>();
  const take = (name: string, place: string): void => {
    const other = places.get(name);
    if (other === undefined) places.set(name, place);
    else violations.push(`${place}: ${name.trim()} is also in ${other}`);
  };
  for (const file of sourcesOf(join(root, 'src'))) {
    const path = relative(root, file);
    const text = readFileSync(file, 'utf8');
    if (!FREE.test(path)) for (const [, a, b] of text.matchAll(EXPORTED)) take(a ?? b ?? '', path);
    const goesOn = path.startsWith('src/services/') && GOES_ON.exec(text);
    if (goesOn) violations.push(`${path}: ${goesOn[0].trim()} makes it a worker, not a verb`);
  }
  for (const room of ['', ...PARTED])
    for (const folder of foldersOf(join(root, 'src', room)))
      take(`${folder}/`, join('src', room, folder));
  return { names: places.size, violations };
}

function sourcesOf(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

function foldersOf(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
