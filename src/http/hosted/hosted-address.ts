import type { HostedRow } from './hosted-row.ts';

/** Where the rows are served: no address of its own, only what `hostedAddress` makes. */
export const HOSTED_ROOT = '/.hosted';

type Asked = { method?: string | undefined; url?: string | undefined };

/** What a request gets that does not say it, by the end of its path. */
const DEFAULTS: readonly { path: RegExp; name: string; value: string }[] = [
  // An empty answer is held for 25 s here, longer than clients of the hosted product wait.
  { path: /\/(?:drawdown|tracker)-events\/stream$/, name: 'wait', value: '0' },
  { path: /\/historical-trades\/[^/]+\/[^/]+$/, name: 'updateHistory', value: 'true' },
];

/** The path of an address, and its query, which may have question marks of its own. */
export function splitAddress(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/** Rewrites the address of a request for the hosted product to the row, or operation, it means. */
export function hostedAddress(rows: readonly HostedRow[]): (asked: Asked) => string {
  const patterns = rows.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return ({ method = 'GET', url = '/' }) => {
    const [given, query] = splitAddress(url);
    const path = given.replace(/^\/users\/current\/mt([45])\//, '/users/current/p$1/');
    const isRow = patterns.some((row) => row.method === method && row.pattern.test(path));
    const root = isRow ? HOSTED_ROOT : '';
    const wanted = DEFAULTS.filter(
      (one) => one.path.test(path) && !new URLSearchParams(query).has(one.name),
    ).map(({ name, value }) => `${name}=${value}`);
    const all = [...(query === '' ? [] : [query]), ...wanted].join('&');
    return `${root}${path}${all === '' ? '' : `?${all}`}`;
  };
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`);
