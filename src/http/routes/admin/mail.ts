import type { FastifyInstance } from 'fastify';
import { listMailOperation, resendMailOperation } from '../../../contract/operations/mail.ts';
import { actorOf } from '../../../services/changes.ts';
import type { Context } from '../../../services/context.ts';
import { listMail } from '../../../services/mail/list-mail.ts';
import { resendMail } from '../../../services/mail/resend-mail.ts';
import { addRoute } from '../../add-route.ts';

export function registerMail(server: FastifyInstance, context: Context): void {
  addRoute(server, listMailOperation, ({ query }) =>
    listMail(context, {
      state: query.state,
      limit: query.limit ?? 1000,
      offset: query.offset ?? 0,
    }),
  );
  addRoute(server, resendMailOperation, ({ principal, params }) =>
    resendMail(context, actorOf(principal), params.id),
  );
}
