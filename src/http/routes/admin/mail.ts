import type { FastifyInstance } from 'fastify';
import {
  listMailOperation,
  MAX_MAIL_PAGE,
  resendMailOperation,
} from '../../../contract/operations/mail.ts';
import { actorOf } from '../../../services/changes.ts';
import type { Context } from '../../../services/context.ts';
import { listMail } from '../../../services/mail/list-mail.ts';
import { resendMail } from '../../../services/mail/resend-mail.ts';
import { addRoute } from '../../add-route.ts';
import { sendOffsetPage } from '../../send-page.ts';

export function registerMail(server: FastifyInstance, context: Context): void {
  addRoute(server, listMailOperation, async ({ query, ...call }) => {
    const page = { limit: query.limit ?? MAX_MAIL_PAGE, offset: query.offset ?? 0 };
    const mails = await listMail(context, { state: query.state, ...page });
    return sendOffsetPage(call, mails, page, (mail) => mail);
  });
  addRoute(server, resendMailOperation, ({ principal, params }) =>
    resendMail(context, actorOf(principal), params.id),
  );
}
