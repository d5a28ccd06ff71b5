import { INVITATION_DAYS } from '../../contract/operations/people.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import { escapeHtml, type Mail, singleLine } from '../../domain/mail.ts';
import { countMailTo, queueMail } from '../../storage/mail-store.ts';
import type { ChangeTransaction } from '../changes.ts';
import type { Context } from '../context.ts';

/** Whoever invites again and again fills nobody's mailbox. */
const MAILS_A_DAY = 5;

/** Queues the mail of a code; false if there is no mail server, or after too many mails. */
export async function mailInvitation(
  { invitations, newId, now }: Pick<Context, 'invitations' | 'newId' | 'now'>,
  tx: ChangeTransaction,
  { name, email }: { name: string | null; email: string | null },
  code: string,
): Promise<boolean> {
  if (!invitations || email === null) return false;
  if ((await countMailTo(tx, email, now() - DAY_MS)) >= MAILS_A_DAY) return false;
  const { home, mailDomain } = invitations;
  const id = newId();
  const mail = invitationMail({ name, email }, `<${id}@${mailDomain}>`, `${home}/#code=${code}`);
  await queueMail(tx, id, mail, now());
  return true;
}

function invitationMail(
  to: { name: string | null; email: string },
  messageId: string,
  link: string,
): Mail {
  const subject = 'Your invitation to Plimsoll';
  const name = singleLine(to.name ?? '', 100);
  const before = [
    name ? `Hello ${name},` : 'Hello,',
    '',
    `this link signs one browser in, once, within ${INVITATION_DAYS} days:`,
    '',
  ];
  const after = ['', 'Whoever has the link can use it: do not pass it on.', ''];
  const shown = (lines: string[]): string => escapeHtml(lines.join('\n'));
  return {
    ...{ messageId, to: to.email, subject, isSecret: true },
    text: [...before, link, ...after].join('\n'),
    html: [
      '<!doctype html>',
      `<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>`,
      `<body><div style="white-space:pre-wrap">${shown(before)}`,
      `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>${shown(after)}</div></body></html>`,
      '',
    ].join('\n'),
  };
}
