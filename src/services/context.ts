import type { Claims } from '../claims/claims.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import type { Catalogue } from '../storage/catalogue.ts';
import type { Sql } from '../storage/database.ts';
import type { KeyRing } from '../storage/key-ring.ts';
import type { Role } from '../words/roles.ts';
import type { TokenScope } from '../words/service.ts';
import type { Changes } from './changes.ts';
import { forbidden, ServiceError } from './errors.ts';

/** Invitations by mail: there is a mail server, and an address that they can name. */
export type Invitations = { home: string; mailDomain: string };

/** Everything outside that verbs may use. Verbs that need more take it as well, by name. */
export type Context = {
  /** For reading only: every change goes through `changes`. */
  database: Sql;
  changes: Changes;
  catalogue: Catalogue;
  claims: Claims;
  /** Encrypts and decrypts stored secrets. */
  secrets: KeyRing;
  /** Shared by all parts of the process that follow trackers, with their clocks. */
  rules: TrackerRules;
  /** Milliseconds of UTC. */
  now: () => number;
  newId: () => string;
  /** In [0, 1): to spread work over time. Never for secrets. */
  random: () => number;
  logger: Logger;
  /** Absent: the inviter hands out the codes. */
  invitations?: Invitations | undefined;
};

export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** The caller: a user's token, or the operator's bootstrap token, which belongs to no user. */
export type Principal = {
  userId: string | undefined;
  /** Who acts in the user's name, if not a token of the user. */
  actor?: string;
  /** The id of the token, or of the session. */
  tokenId: string;
  /** Of a session: the id of the token that it is from, in whose name it acts. */
  from?: string | undefined;
  /** Of a person's session. */
  role?: Role | undefined;
  scopes: ReadonlySet<TokenScope>;
  /** If given, only these accounts. */
  accountNumbers: ReadonlySet<number> | undefined;
  /** When the token expires, if it does. */
  expiresAtMs?: number | undefined;
};

/** The calling user. Throws `forbidden` for the bootstrap token, which owns no data. */
export function userOf(principal: Principal): string {
  if (principal.userId === undefined) {
    throw forbidden('This token belongs to no user: create a user and a token for that user first');
  }
  return principal.userId;
}

/**
 * The calling user, for operations on all of the user's accounts. Throws `forbidden` for a token
 * restricted to some; `deed` ends its sentence: "cannot use webhooks".
 */
export function wholeUserOf(principal: Principal, deed: string): string {
  const userId = userOf(principal);
  if (principal.accountNumbers)
    throw forbidden(`A token restricted to specific accounts cannot ${deed}`);
  return userId;
}

/** Throws `forbidden`. A token restricted to accounts has no admin rights, whatever its scopes. */
export function requireScope(principal: Principal, scope: TokenScope): void {
  if (!principal.scopes.has(scope)) {
    throw new ServiceError('forbidden', `The token lacks the scope "${scope}"`);
  }
  if (scope === 'admin' && principal.accountNumbers) {
    throw forbidden('A token restricted to specific accounts cannot use admin operations');
  }
}
