import type { Role } from '../words/roles.ts';
import type { AccessKind, SessionKind, TokenScope } from '../words/service.ts';
import { noteChange, noteChanges } from './change-store.ts';
import type { Sql, Transaction } from './database.ts';
import { type Columns, json, plain, RecordTable, wordColumn } from './record-table.ts';
import { allIn, forChange, type Moment, numberOf, someRows, Where } from './sql-text.ts';

export type AccessToken = {
  id: string;
  kind: AccessKind;
  /** Null: the operator's. */
  userId: string | null;
  name: string | null;
  /** SHA-256 of the secret, hex; the secret itself is never stored. */
  hash: string;
  scopes: TokenScope[];
  /** Only the accounts that had these ids when the token was made, if given. */
  accountIds: string[] | null;
  /** Of those that there were: ids can be used again, numbers cannot. */
  accountNumbers: number[] | null;
  createdAtMs: number;
  expiresAtMs: number | null;
  /** Id of the token that made it, which may be gone; null: a command did. */
  madeBy: string | null;
  /** The browser of a session, as it calls itself. */
  device: string | null;
  /** Of a person and its sessions; of a token that another rotated, of the old one's person. */
  role: Role | null;
  email: string | null;
  /** Of a person who signed in at an OpenID provider: its name there. */
  subject: string | null;
  /** Of a session that began at the provider: its session there, '' if that has no name. */
  providerSession: string | null;
};

/** When a token was last used, to a minute, and from which address. */
export type TokenUse = { id: string; usedAtMs: number; usedFrom: string };

/** A token as it is listed. */
export type ListedToken = AccessToken & { usedAtMs: number | null; usedFrom: string | null };

const COLUMNS: Columns<AccessToken> = {
  id: plain('id'),
  kind: plain('kind'),
  userId: plain('user_id'),
  name: plain('name'),
  hash: plain('hash'),
  scopes: wordColumn('scopes'),
  accountIds: json('account_ids'),
  accountNumbers: json('account_numbers'),
  createdAtMs: plain('created_at_ms'),
  expiresAtMs: plain('expires_at_ms'),
  madeBy: plain('made_by'),
  device: plain('device'),
  role: plain('role'),
  email: plain('email'),
  subject: plain('subject'),
  providerSession: plain('provider_session'),
};
const TOKEN = new RecordTable<AccessToken>('access_token', COLUMNS);
const LISTED = new RecordTable<ListedToken>('access_token', {
  ...COLUMNS,
  usedAtMs: plain('used_at_ms'),
  usedFrom: plain('used_from'),
});

export const insertToken = (sql: Sql, token: AccessToken): Promise<void> => TOKEN.add(sql, token);

export const findTokenByHash = (sql: Sql, hash: string): Promise<AccessToken | undefined> =>
  TOKEN.get(sql, 'where hash = $1', [hash]);

export const findToken = (sql: Sql, id: string): Promise<AccessToken | undefined> =>
  TOKEN.get(sql, 'where id = $1', [id]);

/** Tokens of a user before a moment, newest first; without one, the newest. */
export async function listTokens(
  sql: Sql,
  userId: string,
  before: Moment | undefined,
  limit: number,
  madeBy?: string | undefined,
): Promise<ListedToken[]> {
  return listSecrets(
    sql,
    new Where().equal('user_id', userId).equal('kind', 'token').equal('made_by', madeBy),
    before,
    limit,
  );
}

/** The people of a user before a moment, newest first. */
export const listPeople = (
  sql: Sql,
  userId: string,
  before: Moment | undefined,
  limit: number,
): Promise<ListedToken[]> =>
  listSecrets(sql, new Where().equal('user_id', userId).equal('kind', 'person'), before, limit);

/** Changes what a person may do, from the next request of running sessions on. */
export async function setRights(tx: Transaction, person: AccessToken): Promise<void> {
  const { id, role, scopes, accountIds, accountNumbers } = person;
  const rows = await tx.all<{ hash: string }>(
    `update access_token set role = $2, scopes = $3, account_ids = $4, account_numbers = $5
     where id = $1 or (made_by = $1 and kind = 'session') returning hash`,
    [id, role, scopes.join(' '), JSON.stringify(accountIds), JSON.stringify(accountNumbers)],
  );
  noteHashes(tx, rows);
}

/** The person whom a provider knows by the subject; of several, that with the e-mail address. */
export async function findPerson(
  sql: Sql,
  userId: string,
  { subject, email }: { subject: string; email: string },
): Promise<AccessToken | undefined> {
  const found = await TOKEN.all(
    sql,
    `where user_id = $1 and kind = 'person' and (subject = $2 or email = $3) limit 2`,
    [userId, subject, email],
  );
  return found.find((person) => person.subject === subject) ?? found[0];
}

export async function setSubject(tx: Transaction, id: string, subject: string): Promise<void> {
  await tx.run('update access_token set subject = $2 where id = $1', [id, subject]);
}

/** The nearest role of a token and of what made it, by whatever in between; undefined: none. */
export async function roleBehind(sql: Sql, id: string): Promise<Role | undefined> {
  const row = await sql.get<{ role: Role }>(
    `with recursive maker (role, made_by) as (
       select role, made_by from access_token where id = $1
       union select made.role, made.made_by from access_token made
         join maker on made.id = maker.made_by and maker.role is null
     ) select role from maker where role is not null`,
    [id],
  );
  return row?.role;
}

/** Ends sessions of a user that began at the provider: one of its sessions, or all of a person. */
export async function deleteProviderSessions(
  tx: Transaction,
  userId: string,
  { session, subject }: { session?: string | undefined; subject?: string | undefined },
): Promise<AccessToken[]> {
  const where = new Where().equal('kind', 'session').equal('user_id', userId);
  where.and('provider_session is not null');
  // Of a person, those without a name there end, too: they may be the one.
  const sessions = session === undefined ? undefined : [session];
  where.oneOf('provider_session', sessions && subject !== undefined ? [...sessions, ''] : sessions);
  if (subject !== undefined)
    where.and(
      `made_by in (select id from access_token where user_id = ${where.place(userId)}
         and kind = 'person' and subject = ${where.place(subject)})`,
    );
  const rows = await tx.all(
    `delete from access_token where ${where} returning ${TOKEN.list}`,
    where.params,
  );
  const ended = rows.map(TOKEN.read);
  noteHashes(tx, ended);
  return ended;
}

/** How many sessions have not ended by a time, and were used since another. */
export function countSessions(
  sql: Sql,
  { sinceMs, usedSinceMs }: Pick<SessionQuery, 'sinceMs' | 'usedSinceMs'>,
): Promise<number> {
  const text = `select count(*) as sessions from access_token where kind = 'session'
     and expires_at_ms > $1 and coalesce(used_at_ms, created_at_ms) > $2`;
  return numberOf(sql, text, [sinceMs, usedSinceMs]);
}

/** Sessions of a user that have not ended, newest first; or those from one token. */
export async function listSessions(
  sql: Sql,
  { userId, madeBy, sinceMs, usedSinceMs }: SessionQuery,
  before: Moment | undefined,
  limit: number,
): Promise<ListedToken[]> {
  const where = new Where().equal('kind', 'session').equal('user_id', userId);
  where.equal('made_by', madeBy).and(`expires_at_ms > ${where.place(sinceMs)}`);
  where.and(`coalesce(used_at_ms, created_at_ms) > ${where.place(usedSinceMs)}`);
  return listSecrets(sql, where, before, limit);
}

export type SessionQuery = {
  userId?: string | undefined;
  madeBy?: string | undefined;
  /** Not ended by then, and used since. */
  sinceMs: number;
  usedSinceMs: number;
};

async function listSecrets(
  sql: Sql,
  where: Where,
  before: Moment | undefined,
  limit: number,
): Promise<ListedToken[]> {
  where.before(['created_at_ms', 'id'], before);
  return LISTED.all(
    sql,
    `where ${where} order by created_at_ms desc, id desc
     limit ${where.place(limit)}`,
    where.params,
  );
}

/** When a session was last used, as far as it is stored. */
export async function readLastUse(sql: Sql, id: string): Promise<number | undefined> {
  const text = 'select used_at_ms from access_token where id = $1';
  const row = await sql.get<{ used_at_ms: number | null }>(text, [id]);
  return row?.used_at_ms ?? undefined;
}

/** Stores when tokens were last used. Those that are gone are passed over. */
export async function storeTokenUses(sql: Sql, uses: readonly TokenUse[]): Promise<void> {
  for (const { id, usedAtMs, usedFrom } of uses) {
    await sql.run('update access_token set used_at_ms = $2, used_from = $3 where id = $1', [
      ...[id, usedAtMs, usedFrom],
    ]);
  }
}

/** The token, which nobody changes until the end of the transaction. */
export const lockToken = (tx: Transaction, id: string): Promise<AccessToken | undefined> =>
  TOKEN.get(tx, `where id = $1 ${forChange(tx.kind)}`, [id]);

/** Lets a token end, and counts it as made by another from now on. */
export async function retireToken(
  tx: Transaction,
  { id, hash }: AccessToken,
  expiresAtMs: number,
  madeBy: string | null,
): Promise<void> {
  await tx.run('update access_token set expires_at_ms = $2, made_by = $3 where id = $1', [
    ...[id, expiresAtMs, madeBy],
  ]);
  noteChange(tx, 'token', hash);
}

/** What some tokens made counts as made by another from now on. */
export async function inheritTokens(
  tx: Transaction,
  makers: readonly string[],
  heir: string | null,
): Promise<void> {
  const rows = await allIn<{ hash: string }>(
    tx,
    makers,
    (list) => `update access_token set made_by = $1 where made_by in (${list}) returning hash`,
    [heir],
  );
  noteHashes(tx, rows);
}

/**
 * Deletes some tokens that a token made, of one user if given; what they made counts as made by it
 * from then on.
 */
export async function deleteMadeTokens(
  tx: Transaction,
  maker: string,
  userId: string | undefined,
  limit: number,
): Promise<AccessToken[]> {
  const where = new Where().equal('made_by', maker).equal('user_id', userId);
  where.and("kind in ('token', 'person')");
  const some = someRows(tx.kind, 'access_token', `${where} limit ${where.place(limit)}`);
  const rows = await tx.all(
    `delete from access_token where ${some} returning ${TOKEN.list}`,
    where.params,
  );
  const tokens = rows.map(TOKEN.read);
  for (const { id } of tokens) await deleteSessionsOf(tx, id);
  noteHashes(tx, tokens);
  await inheritTokens(
    tx,
    tokens.map(({ id }) => id),
    maker,
  );
  return tokens;
}

/** Ends the sessions from a token or of a person, and the codes for more. */
export async function deleteSessionsOf(tx: Transaction, maker: string): Promise<AccessToken[]> {
  await deleteOldest(tx, maker, 'code', 0);
  return deleteOldest(tx, maker, 'session', 0);
}

/** Ends the sessions or codes from a token that were used longest ago, beyond a number. */
export async function deleteOldest(
  tx: Transaction,
  maker: string,
  kind: SessionKind,
  except: number,
): Promise<AccessToken[]> {
  const rows = await tx.all(
    `delete from access_token where id in (
       select id from access_token where made_by = $1 and kind = $2
       order by coalesce(used_at_ms, created_at_ms) desc, id limit $3 offset $4
     ) returning ${TOKEN.list}`,
    [maker, kind, MOST_SESSIONS, except],
  );
  const ended = rows.map(TOKEN.read);
  noteHashes(tx, ended);
  return ended;
}

/** More than one token ever has. */
const MOST_SESSIONS = 1000;

/** Forgets sessions and codes that have ended by a time; false if there were none. */
export async function deleteEndedSessions(sql: Sql, byMs: number): Promise<boolean> {
  const some = someRows(
    sql.kind,
    'access_token',
    `kind in ('session', 'code') and expires_at_ms <= $1 limit 500`,
  );
  return (await sql.run(`delete from access_token where ${some}`, [byMs])) > 0;
}

/** Deletes all tokens of a user and returns how many there were. */
export async function deleteUserTokens(tx: Transaction, userId: string): Promise<number> {
  const rows = await tx.all<{ hash: string }>(
    'delete from access_token where user_id = $1 returning hash',
    [userId],
  );
  noteHashes(tx, rows);
  return rows.length;
}

/** Deletes a token, with its sessions and codes, and returns it; undefined if there was none. */
export async function deleteToken(
  tx: Transaction,
  id: string,
  kind: AccessKind = 'token',
): Promise<AccessToken | undefined> {
  const row = await tx.get(
    `delete from access_token where id = $1 and kind = $2 returning ${TOKEN.list}`,
    [id, kind],
  );
  if (!row) return undefined;
  if (kind === 'token' || kind === 'person') await deleteSessionsOf(tx, id);
  const token = TOKEN.read(row);
  noteChange(tx, 'token', token.hash);
  return token;
}

const noteHashes = (tx: Transaction, tokens: readonly { hash: string }[]): void =>
  noteChanges(
    tx,
    'token',
    tokens.map(({ hash }) => hash),
  );
