import { isDeepStrictEqual } from 'node:util';
import { MAX_DOCUMENTS_PER_USER } from '../../contract/operations/account-views.ts';
import {
  type DocumentKind,
  deleteDocumentRow,
  findDocument,
  listDocuments,
  putDocument,
} from '../../storage/document-store.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, userOf, wholeUserOf } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { isoTime } from '../present-time.ts';

const TITLES: Record<DocumentKind, string> = {
  'account-view': 'View',
  'rule-template': 'Template',
  'table-mapping': 'Mapping',
};

export type Named = {
  name: string;
  /** `changedAt` of the intended document, or `none`; if absent, any. */
  replaces?: string | undefined;
};

/**
 * The user's documents of a kind, of all tokens, in order of name. Views name labels, groups and
 * accounts that a token of some accounts does not see: it sees none.
 */
export async function readDocuments<Body extends object>(
  { database }: Context,
  principal: Principal,
  kind: DocumentKind,
): Promise<(Body & { name: string; changedAt: string })[]> {
  if (kind === 'account-view' && principal.accountNumbers) return [];
  const found = await listDocuments<Body>(
    database,
    userOf(principal),
    kind,
    MAX_DOCUMENTS_PER_USER,
  );
  return found.map(({ name, body, changedAtMs }) => ({
    ...body,
    ...{ name, changedAt: isoTime(changedAtMs) },
  }));
}

/**
 * Saves a document replacing one of the same name. Throws `conflict` if there are too many, or
 * another one was saved in between.
 */
export async function saveDocument(
  { changes, now }: Context,
  principal: Principal,
  kind: DocumentKind,
  { name, body, replaces }: Named & { body: object },
): Promise<void> {
  const userId = ownerOf(principal);
  await changes.make(actorOf(principal), async (tx) => {
    await tx.lock(`documents:${userId}`);
    const before = await findDocument<object>(tx, userId, kind, name);
    if (before && isDeepStrictEqual(before.body, JSON.parse(JSON.stringify(body)))) {
      return { result: undefined, audit: 'unchanged' };
    }
    requireMeant(kind, before, replaces);
    const { items } = await tx.hold(userId, kind, {
      items: before ? 0 : 1,
      bytes: bytesOf(body) - bytesOf(before?.body),
    });
    if (items > MAX_DOCUMENTS_PER_USER) {
      throw conflict(`The limit of ${MAX_DOCUMENTS_PER_USER} is reached: delete one first`);
    }
    await putDocument(tx, userId, kind, { name, body, changedAtMs: now() });
    const details = { name };
    return { result: undefined, audit: [{ action: `${kind}.saved`, userId, details }] };
  });
}

/** Throws `notFound`, and `conflict` if another one was saved in between. */
export async function deleteDocument(
  { changes }: Context,
  principal: Principal,
  kind: DocumentKind,
  { name, replaces }: Named,
): Promise<void> {
  const userId = ownerOf(principal);
  await changes.make(actorOf(principal), async (tx) => {
    await tx.lock(`documents:${userId}`);
    const found = await findDocument(tx, userId, kind, name);
    if (!found) throw notFound(TITLES[kind]);
    requireMeant(kind, found, replaces);
    await deleteDocumentRow(tx, userId, kind, name);
    await tx.hold(userId, kind, { items: -1, bytes: -bytesOf(found.body) });
    return { result: undefined, audit: [{ action: `${kind}.deleted`, userId, details: { name } }] };
  });
}

const bytesOf = (body: unknown): number => (body ? JSON.stringify(body).length : 0);

/** A document must not be replaced unseen. */
function requireMeant(
  kind: DocumentKind,
  found: { changedAtMs: number } | undefined,
  replaces: string | undefined,
): void {
  if (replaces === undefined || replaces === (found ? isoTime(found.changedAtMs) : 'none')) return;
  const what = TITLES[kind].toLowerCase();
  throw conflict(
    !found
      ? `The ${what} has been deleted in the meantime`
      : replaces === 'none'
        ? `A ${what} with this name already exists: read it first`
        : `The ${what} has changed since you read it: read it again`,
  );
}

/** Documents are for all the user's accounts: a token restricted to some must not change any. */
const ownerOf = (principal: Principal): string =>
  wholeUserOf(principal, 'change what all tokens share');
