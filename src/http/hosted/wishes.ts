import type { IncomingHttpHeaders } from 'node:http';
import { type Compatibility, TOKEN_PREFIXES } from '../../words/service.ts';

/** Says for one request which names it speaks; stronger than its token and the setting. */
export const COMPATIBILITY_HEADER = 'plimsoll-compatibility';

type Heads = { headers: IncomingHttpHeaders };

/** Whether a request is to be read and answered by the names of the hosted product. */
export function isHosted({ headers }: Heads, setting: Compatibility): boolean {
  const asked = headers[COMPATIBILITY_HEADER];
  if (asked !== undefined) return asked === 'hosted';
  const token = headers['auth-token'];
  return (
    setting === 'hosted' || (typeof token === 'string' && token.startsWith(TOKEN_PREFIXES.hosted))
  );
}
