import { MAX_DOCUMENTS_PER_USER } from '../../contract/operations/account-views.ts';
import {
  type DocumentKind,
  deleteDocument as deleteRow,
  listDocuments,
  putDocument,
} from '../../storage/document-store.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { conflict, forbidden, notFound } from '../errors.ts';
import { isoTime } from '../present-time.ts';

const TITLES: Record<DocumentKind, string> = {
  'account-view': 'View',
  'rule-template': 'Template',
};

/** What the user saved of a kind, whichever token did; in the order of the names. */
export async function readDocuments<Body extends object>(
  { database }: Context,
  principal: Principal,
  kind: DocumentKind,
): Promise<(Body & { name: string; changedAt: string })[]> {
  const found = await listDocuments<Body>(database, userOf(principal), kind);
  return found.map(({ name, body, changedAtMs }) => ({
    ...body,
    ...{ name, changedAt: isoTime(changedAtMs) },
  }));
}

/** Saves it in place of one that has its name. Throws `conflict` when there are too many. */
export async function saveDocument(
  { changes, now }: Context,
  principal: Principal,
  kind: DocumentKind,
  { name, body }: { name: string; body: object },
): Promise<void> {
  const userId = ownerOf(principal);
  await changes.make(actorOf(principal), async (tx) => {
    await tx.lock(`documents:${userId}`);
    const others = (await listDocuments(tx, userId, kind)).filter((each) => each.name !== name);
    if (others.length >= MAX_DOCUMENTS_PER_USER) {
      throw conflict(`The limit of ${MAX_DOCUMENTS_PER_USER} is reached: delete others first`);
    }
    await putDocument(tx, userId, kind, { name, body, changedAtMs: now() });
    const details = { name, ...body };
    return { result: undefined, audit: [{ action: `${kind}.saved`, userId, details }] };
  });
}

/** Throws `notFound`. */
export async function deleteDocument(
  { changes }: Context,
  principal: Principal,
  kind: DocumentKind,
  name: string,
): Promise<void> {
  const userId = ownerOf(principal);
  await changes.make(actorOf(principal), async (tx) => {
    if (!(await deleteRow(tx, userId, kind, name))) throw notFound(TITLES[kind]);
    return { result: undefined, audit: [{ action: `${kind}.deleted`, userId, details: { name } }] };
  });
}

/** They are for all the user's accounts: a token of some of them must not change any. */
function ownerOf(principal: Principal): string {
  if (principal.accountIds) {
    throw forbidden('A token restricted to specific accounts cannot change what all tokens share');
  }
  return userOf(principal);
}
