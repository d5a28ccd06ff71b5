import type { FastifyInstance } from 'fastify';
import {
  readEventMailOperation,
  setEventMailOperation,
} from '../../../contract/operations/event-mail.ts';
import type { Context } from '../../../services/context.ts';
import { readEventMail, setEventMail } from '../../../services/event-mail/set-event-mail.ts';
import { addRoute } from '../../add-route.ts';

export function registerEventMail(server: FastifyInstance, context: Context): void {
  addRoute(server, readEventMailOperation, ({ principal }) => readEventMail(context, principal));
  addRoute(server, setEventMailOperation, ({ principal, body }) =>
    setEventMail(context, principal, body),
  );
}
