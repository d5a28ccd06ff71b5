import type { FastifyInstance } from 'fastify';
import { recordSnapshotsOperation } from '../../../contract/operations/snapshots.ts';
import {
  recordSnapshots,
  type SnapshotParts,
} from '../../../services/snapshots/record-snapshots.ts';
import { addRoute } from '../../add-route.ts';
import { contentTypeOf, NDJSON_TYPES } from '../../bodies.ts';

export function registerSnapshots(server: FastifyInstance, parts: SnapshotParts): void {
  addRoute(server, recordSnapshotsOperation, ({ principal, body, headers, request }) =>
    recordSnapshots(parts, principal, {
      body,
      isNdjson: NDJSON_TYPES.includes(contentTypeOf(request)),
      idempotencyKey: headers['idempotency-key'] as string | undefined,
    }),
  );
}
