import type { FastifyInstance } from 'fastify';
import {
  listMailOperation,
  type MailRecord,
  resendMailOperation,
} from '../../../contract/operations/mail.ts';
import type { Context } from '../../../services/context.ts';
import { listMail } from '../../../services/mail/list-mail.ts';
import { resendMail } from '../../../services/mail/resend-mail.ts';
import { addRoute } from '../../add-route.ts';

type Listed = Awaited<ReturnType<typeof listMail>>[number];

export function registerMail(server: FastifyInstance, context: Context): void {
  addRoute(server, listMailOperation, async ({ query }) => {
    const page = { state: query.state, limit: query.limit ?? 1000, offset: query.offset ?? 0 };
    return (await listMail(context, page)).map(presentMail);
  });
  addRoute(server, resendMailOperation, ({ params }) => resendMail(context, params.id));
}

const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

function presentMail(mail: Listed): MailRecord {
  const { id, messageId, to, subject, text, state, attempts, settledAtMs, lastResult } = mail;
  return {
    id,
    messageId,
    to,
    subject,
    text,
    state,
    attempts,
    queuedAt: isoTime(mail.queuedAtMs),
    ...(state === 'queued' ? { nextAttemptAt: isoTime(mail.dueAtMs) } : {}),
    ...(settledAtMs === null ? {} : { settledAt: isoTime(settledAtMs) }),
    ...(lastResult === null ? {} : { lastResult }),
  };
}
