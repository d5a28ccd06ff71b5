import { METHODS } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/**
 * Methods of the operations at a path, as `Allow` lists them; none if there is no such path. Every
 * path with GET has HEAD, too.
 */
export function methodsAt(path: string): string[] {
  const parts = partsOf(path);
  const found = PATTERNS.filter(({ pattern }) => matches(pattern, parts));
  const served = new Set<string>(found.map(({ method }) => method));
  if (served.has('GET')) served.add('HEAD');
  return ['HEAD', ...METHODS].filter((method) => served.has(method));
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

const matches = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, index) => part.startsWith(':') || part === parts[index]);

const PATTERNS = OPERATIONS.map(({ method, path }) => ({ method, pattern: partsOf(path) }));
