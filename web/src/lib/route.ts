import { useSyncExternalStore } from 'react';

export type Location = { path: string; query: URLSearchParams };

function readLocation(hash: string): Location {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?');
  return { path: path || '/accounts', query: new URLSearchParams(search) };
}

let current = { hash: location.hash, value: readLocation(location.hash) };

function snapshot(): Location {
  if (current.hash !== location.hash) {
    current = { hash: location.hash, value: readLocation(location.hash) };
  }
  return current.value;
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  addEventListener('popstate', listener);
  return () => {
    removeEventListener('hashchange', listener);
    removeEventListener('popstate', listener);
  };
}

/** Where the reader is: the path after `#` and its query. */
export const useLocation = (): Location => useSyncExternalStore(subscribe, snapshot);

export function navigate(address: string): void {
  location.hash = address;
}

/** Changes the address without a new step in the history (filters, tabs). */
export function replaceLocation(address: string): void {
  history.replaceState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Changes some of the query's words; undefined removes one. */
export function replaceQuery(changes: Record<string, string | undefined>): void {
  const { path, query } = snapshot();
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  replaceLocation(`#${path}${next.size > 0 ? `?${next}` : ''}`);
}

/** The values of `:names` when the path fits the pattern. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const expected = pattern.split('/');
  const actual = path.split('/');
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = actual[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return params;
}
