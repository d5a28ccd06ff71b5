import type { FastifyInstance } from 'fastify';
import {
  createTrackerOperation,
  deleteTrackerOperation,
  listTrackersOperation,
  previewTrackerOperation,
  readTrackerByNameOperation,
  readTrackerOperation,
  renameTrackerOperation,
  trackerStatisticsOperation,
} from '../../../contract/operations/trackers.ts';
import { deleteTracker, renameTracker } from '../../../services/trackers/change-trackers.ts';
import { createTracker, trackerFaults } from '../../../services/trackers/create-tracker.ts';
import { previewTracker } from '../../../services/trackers/preview-tracker.ts';
import { readStatistics } from '../../../services/trackers/read-statistics.ts';
import { readTracker, readTrackers } from '../../../services/trackers/read-trackers.ts';
import { addRoute } from '../../add-route.ts';

const PREVIEW_SHARES = { process: 8, user: 2, token: 2 };
const RETRY_AFTER_SECONDS = 2;

export function registerTrackers(
  server: FastifyInstance,
  context: Parameters<typeof readStatistics>[0],
): void {
  addRoute(server, listTrackersOperation, ({ principal, params }) =>
    readTrackers(context, principal, params.accountId),
  );
  addRoute(server, readTrackerOperation, ({ principal, params }) =>
    readTracker(context, principal, params.accountId, { id: params.id }),
  );
  addRoute(server, readTrackerByNameOperation, ({ principal, params }) =>
    readTracker(context, principal, params.accountId, { name: params.name }),
  );
  addRoute(
    server,
    createTrackerOperation,
    ({ principal, params, body }) => createTracker(context, principal, params.accountId, body),
    { moreFaults: ({ body }) => trackerFaults(body) },
  );
  const places = server.places.create(
    'previews',
    'previews at a time',
    PREVIEW_SHARES,
    RETRY_AFTER_SECONDS,
  );
  addRoute(
    server,
    previewTrackerOperation,
    ({ principal, params, body }) => previewTracker(context, principal, params.accountId, body),
    { places, moreFaults: ({ body }) => trackerFaults(body) },
  );
  addRoute(server, renameTrackerOperation, ({ principal, params, body }) =>
    renameTracker(context, principal, params.accountId, params.id, body.name),
  );
  addRoute(server, deleteTrackerOperation, ({ principal, params }) =>
    deleteTracker(context, principal, params.accountId, params.id),
  );
  addRoute(server, trackerStatisticsOperation, ({ principal, params, query }) => {
    const { startTime, limit = 1, realTime = false } = query;
    const { accountId, id } = params;
    return readStatistics(context, principal, accountId, id, { startTime, limit, realTime });
  });
}
