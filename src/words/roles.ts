import type { TokenScope } from './service.ts';
import { wordsOf } from './words-of.ts';

/**
 * What the people of a user may do: the scopes of their sessions. A trader sees only the accounts
 * given to him. An owner manages the people, too.
 */
export const ROLE_SCOPES = {
  viewer: ['read'],
  trader: ['read'],
  risk: ['read', 'write', 'actions'],
  backOffice: ['read', 'write', 'ingest'],
  owner: ['read', 'write', 'ingest', 'actions'],
} as const satisfies Record<string, readonly TokenScope[]>;

export type Role = keyof typeof ROLE_SCOPES;
export const ROLES = wordsOf(ROLE_SCOPES);
