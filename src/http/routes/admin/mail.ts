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
  addRoute(server, listMailOperation, ({ query, ...call }) =>
    sendOffsetPage(
      call,
      query,
      ({ state, ...page }) => listMail(context, { state, ...page }),
      MAX_MAIL_PAGE,
    ),
  );
  addRoute(server, resendMailOperation, ({ principal, params }) =>
    resendMail(context, actorOf(principal), params.id),
  );
}
