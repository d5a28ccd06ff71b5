import type { FastifyInstance } from 'fastify';
import {
  listBreachActionsOperation,
  readBreachActionStateOperation,
  readBreachActionSwitchOperation,
  retryBreachActionsOperation,
  setBreachActionSwitchOperation,
} from '../../../contract/operations/breach-actions.ts';
import {
  listBreachActions,
  readBreachActionState,
  readBreachActionSwitch,
  retryBreachActions,
  setBreachActionSwitch,
} from '../../../services/breach-actions/manage-breach-actions.ts';
import type { Context } from '../../../services/context.ts';
import { readPage } from '../../../services/page.ts';
import { addRoute } from '../../add-route.ts';
import { sendPage } from '../../send-page.ts';

export function registerBreachActions(server: FastifyInstance, context: Context): void {
  addRoute(server, listBreachActionsOperation, async ({ principal, query, ...call }) => {
    const { before = Number.MAX_SAFE_INTEGER, limit = 50, ...filter } = query;
    const page = await readPage(
      { limit },
      (most) => listBreachActions(context, principal, { ...filter, before, limit: most }),
      ({ id }) => ({ before: id }),
    );
    return sendPage(call, page, (action) => action);
  });
  addRoute(server, readBreachActionStateOperation, ({ principal }) =>
    readBreachActionState(context, principal),
  );
  addRoute(server, retryBreachActionsOperation, ({ principal, body }) =>
    retryBreachActions(context, principal, body.ids),
  );
  addRoute(server, readBreachActionSwitchOperation, () => readBreachActionSwitch(context));
  addRoute(server, setBreachActionSwitchOperation, ({ principal, body }) =>
    setBreachActionSwitch(context, principal, body.enabled),
  );
}
