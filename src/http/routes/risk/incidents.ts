import type { FastifyInstance } from 'fastify';
import {
  handleIncidentsOperation,
  listIncidentEntriesOperation,
  listIncidentsOperation,
  readIncidentOperation,
  SHOWN_ENTRIES,
} from '../../../contract/operations/incidents.ts';
import type { Context } from '../../../services/context.ts';
import { handleIncidents } from '../../../services/incidents/handle-incidents.ts';
import {
  listIncidents,
  readEntries,
  readIncident,
} from '../../../services/incidents/list-incidents.ts';
import { presentEntry } from '../../../services/incidents/present-handling.ts';
import { addRoute } from '../../add-route.ts';
import { sendPage } from '../../send-page.ts';

export function registerIncidents(server: FastifyInstance, context: Context): void {
  addRoute(server, listIncidentsOperation, ({ principal, query }) => {
    const { state = 'open', before = Number.MAX_SAFE_INTEGER, limit = 50, ...filter } = query;
    return listIncidents(context, principal, { ...filter, state, before, limit });
  });
  addRoute(server, readIncidentOperation, ({ principal, params }) =>
    readIncident(context, principal, params.id),
  );
  addRoute(server, listIncidentEntriesOperation, async ({ principal, params, query, ...call }) => {
    const { before = Number.MAX_SAFE_INTEGER, limit = SHOWN_ENTRIES } = query;
    const page = await readEntries(context, principal, params.id, { before, limit });
    return sendPage(call, page, presentEntry);
  });
  addRoute(server, handleIncidentsOperation, ({ principal, body }) =>
    handleIncidents(context, principal, body),
  );
}
