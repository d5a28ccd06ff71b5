import { MAX_TOKENS_PER_USER } from '../../contract/operations/users.ts';
import {
  type AccessToken,
  deleteMadeTokens,
  deleteToken,
  inheritTokens,
  listTokens,
} from '../../storage/token-store.ts';
import { type Actor, type AuditNote, auditOf, type ChangeTransaction } from '../changes.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { releaseToken } from './tokens.ts';

const MADE_PER_STATEMENT = 250;
/** Where a token made more, further transactions follow. */
const MADE_PER_TRANSACTION = 1000;

export type Revocation = {
  /** Also what it made, and what that made. */
  withMade?: boolean | undefined;
  /** Of what it made, only the tokens of this user. */
  userId?: string | undefined;
  /** Default: a token. */
  kind?: 'token' | 'person';
};

/**
 * Revokes a token: once this returns, no new request is accepted with it. What it made stays, and
 * counts as made by its maker, unless it is to go as well. That also works for a token that is gone
 * already. Throws `notFound`.
 */
export async function revokeToken(
  { changes }: Pick<Context, 'changes'>,
  by: Actor,
  tokenId: string,
  { withMade = false, userId, kind = 'token' }: Revocation = {},
): Promise<void> {
  let gone: AccessToken[] = [];
  do {
    const isFirst = gone.length === 0;
    gone = await changes.make(by, async (tx) => {
      const token = isFirst ? await deleteToken(tx, tokenId, kind) : undefined;
      const made = withMade ? await revokeMade(tx, tokenId, userId) : [];
      if (token && !withMade) await inheritTokens(tx, [tokenId], token.madeBy);
      const ended = token ? [token, ...made] : made;
      // Last, as whoever makes a token counts it last: each has locked its maker by then.
      for (const each of ended) await releaseToken(tx, each);
      const notes = ended.map(noteOf);
      if (isFirst && notes.length === 0) throw notFound('Token');
      return { result: made, audit: auditOf(notes) };
    });
  } while (gone.length >= MADE_PER_TRANSACTION);
}

async function revokeMade(
  tx: ChangeTransaction,
  maker: string,
  userId: string | undefined,
): Promise<AccessToken[]> {
  const all: AccessToken[] = [];
  while (all.length < MADE_PER_TRANSACTION) {
    const some = await deleteMadeTokens(tx, maker, userId, MADE_PER_STATEMENT);
    all.push(...some);
    if (some.length === 0) break;
  }
  return all;
}

/**
 * Revokes the tokens that a person made, and those made with them, that may do more than the person
 * may now. What else these made counts as made by the person.
 */
export async function revokeBeyond(
  tx: ChangeTransaction,
  person: AccessToken,
): Promise<AuditNote[]> {
  const notes: AuditNote[] = [];
  const { id, userId, scopes, accountNumbers } = person;
  const isBeyond = (token: AccessToken): boolean =>
    !token.scopes.every((scope) => scopes.includes(scope)) ||
    (accountNumbers !== null &&
      !token.accountNumbers?.every((number) => accountNumbers.includes(number)));
  for (;;) {
    const made = await listTokens(tx, userId ?? '', undefined, MAX_TOKENS_PER_USER, id);
    const beyond = made.filter(isBeyond);
    if (beyond.length === 0) return notes;
    for (const token of beyond) {
      await deleteToken(tx, token.id);
      await inheritTokens(tx, [token.id], id);
      await releaseToken(tx, token);
      notes.push(noteOf(token));
    }
  }
}

function noteOf({ id, kind, name, email, ...token }: AccessToken): AuditNote {
  const [userId, madeBy] = [token.userId ?? undefined, token.madeBy ?? undefined];
  return kind === 'person'
    ? { action: 'person.removed', userId, details: { personId: id, email: email ?? '', madeBy } }
    : { action: 'token.revoked', userId, details: { tokenId: id, name, madeBy } };
}
