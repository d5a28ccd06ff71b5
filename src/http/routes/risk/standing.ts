import type { FastifyInstance } from 'fastify';
import { readStandingOperation } from '../../../contract/operations/account-standing.ts';
import { listAccountLabelsOperation } from '../../../contract/operations/accounts.ts';
import {
  accountsOverviewOperation,
  readAccountTotalsOperation,
} from '../../../contract/operations/accounts-overview.ts';
import { followStandingOperation } from '../../../contract/operations/live-standing.ts';
import type { Context } from '../../../services/context.ts';
import { type FollowContext, followStanding } from '../../../services/overview/follow-standing.ts';
import { OverviewTables } from '../../../services/overview/overview-tables.ts';
import { askOverview } from '../../../services/overview/read-overview.ts';
import { readStanding } from '../../../services/overview/read-standing.ts';
import { listAccountLabels, readAccountTotals } from '../../../services/overview/read-totals.ts';
import { RecentHours } from '../../../services/overview/recent-hours.ts';
import { SharedAnswers } from '../../../services/shared-answers.ts';
import { addRoute } from '../../add-route.ts';
import { stillAllowed } from '../../authentication.ts';
import { sendEventStream } from '../../event-stream.ts';
import { ReadyAnswer } from '../../ready-answer.ts';

const MAX_SHARED_BYTES = 16 * 1024 * 1024;
const STREAM_SHARES = { process: 2000, user: 400, token: 100 };
const RETRY_AFTER_SECONDS = 5;

/** Answers that many dashboards request within the same second. */
export class OverviewAnswers extends SharedAnswers<ReadyAnswer> {
  constructor() {
    super(MAX_SHARED_BYTES, ({ bytes }) => bytes);
  }
}

/** The standing of accounts, all of a user or one. */
export function registerStanding(
  server: FastifyInstance,
  context: Context & Parameters<typeof readStanding>[0] & FollowContext,
  answers: OverviewAnswers,
): void {
  const overview = {
    ...context,
    overviews: new OverviewTables(context),
    recentHours: new RecentHours(),
  };
  addRoute(server, accountsOverviewOperation, async ({ principal, query, reply }) => {
    const { key, version, read } = await askOverview(overview, principal, query);
    const make = async () => new ReadyAnswer(String(reply.serialize(await read())));
    return (await answers.of(key, version, make)).send(reply);
  });
  addRoute(server, readAccountTotalsOperation, ({ principal, query }) =>
    readAccountTotals(overview, principal, query),
  );
  addRoute(server, listAccountLabelsOperation, ({ principal }) =>
    listAccountLabels(overview, principal),
  );
  addRoute(server, readStandingOperation, ({ principal, params }) =>
    readStanding(context, principal, params.accountId),
  );
  const places = server.places.create(
    ...(['standings', 'streams of standings', STREAM_SHARES, RETRY_AFTER_SECONDS] as const),
  );
  addRoute(
    server,
    followStandingOperation,
    async ({ principal, query, headers, reply, request }) => {
      const { 'last-event-id': lastEventId } = headers;
      const id = typeof lastEventId === 'string' ? lastEventId : undefined;
      await using stream = await followStanding(context, principal, query, id);
      await sendEventStream(reply, {
        next: (waitMs, signal) => stream.next(waitMs, signal),
        stillAllowed: () => stillAllowed(request),
        expiresAtMs: principal.expiresAtMs,
        now: context.now,
      });
    },
    { places },
  );
}
