import { useSyncExternalStore } from 'react';

export type Location = { path: string; query: URLSearchParams };

function readLocation(hash: string): Location {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?');
  return { path: path || '/accounts', query: new URLSearchParams(search) };
}

let current = { hash: location.hash, value: readLocation(location.hash) };

/** The chosen group of accounts is kept from page to page until another is chosen. */
const KEPT = 'label';

/** The target address, with the group of the previous one unless it names its own. */
function withGroup(hash: string, before: URLSearchParams): string {
  const { path, query } = readLocation(hash);
  const group = query.get(KEPT) ?? before.get(KEPT);
  // A sign-in link is no page.
  const isPage = path.startsWith('/');
  if (!isPage || (group === query.get(KEPT) && group !== '')) return hash;
  if (group) query.set(KEPT, group);
  else query.delete(KEPT);
  return addressOf(path, query);
}

const addressOf = (path: string, query: URLSearchParams): string =>
  `#${path}${query.size > 0 ? `?${query}` : ''}`;

function snapshot(): Location {
  if (current.hash !== location.hash) {
    const hash = withGroup(location.hash, current.value.query);
    if (hash !== location.hash) history.replaceState(null, '', hash);
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

/** The current page: the path after `#` and its query. */
export const useLocation = (): Location => useSyncExternalStore(subscribe, snapshot);

export function navigate(address: string): void {
  location.hash = address;
}

/** Changes the address without a new step in the history (filters, tabs). */
export function replaceLocation(address: string): void {
  history.replaceState(null, '', address);
  current = { hash: location.hash, value: readLocation(location.hash) };
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Changes some parameters of the query; undefined removes one. */
export function replaceQuery(changes: Record<string, string | undefined>): void {
  const { path, query } = snapshot();
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  replaceLocation(addressOf(path, next));
}

/** The values of `:names` if the path matches the pattern. */
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
