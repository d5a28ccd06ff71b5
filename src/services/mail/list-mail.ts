import {
  type MailState,
  listMail as pageOfMail,
  type StoredMail,
} from '../../storage/mail-store.ts';
import type { Context } from '../context.ts';

/** A page of mails, newest first. */
export function listMail(
  { database }: Context,
  page: { state?: MailState | undefined; limit: number; offset: number },
): Promise<StoredMail[]> {
  return pageOfMail(database, page.state, page.limit, page.offset);
}
