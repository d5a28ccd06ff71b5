import type { FastifyInstance } from 'fastify';
import {
  handleIncidentsOperation,
  listIncidentsOperation,
  readIncidentOperation,
} from '../../../contract/operations/incidents.ts';
import type { Context } from '../../../services/context.ts';
import { handleIncidents } from '../../../services/incidents/handle-incidents.ts';
import { listIncidents, readIncident } from '../../../services/incidents/list-incidents.ts';
import { addRoute } from '../../add-route.ts';

export function registerIncidents(server: FastifyInstance, context: Context): void {
  addRoute(server, listIncidentsOperation, ({ principal, query }) => {
    const { state = 'open', before = Number.MAX_SAFE_INTEGER, limit = 50, ...filter } = query;
    return listIncidents(context, principal, { ...filter, state, before, limit });
  });
  addRoute(server, readIncidentOperation, ({ principal, params }) =>
    readIncident(context, principal, params.id),
  );
  addRoute(server, handleIncidentsOperation, ({ principal, body }) =>
    handleIncidents(context, principal, body),
  );
}
