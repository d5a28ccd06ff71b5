import type { FastifyInstance } from 'fastify';
import { readStandingOperation } from '../../../contract/operations/account-standing.ts';
import { listAccountLabelsOperation } from '../../../contract/operations/accounts.ts';
import {
  accountsOverviewOperation,
  readAccountTotalsOperation,
} from '../../../contract/operations/accounts-overview.ts';
import type { Context } from '../../../services/context.ts';
import { OverviewTables } from '../../../services/overview/overview-tables.ts';
import { askOverview } from '../../../services/overview/read-overview.ts';
import { readStanding } from '../../../services/overview/read-standing.ts';
import { listAccountLabels, readAccountTotals } from '../../../services/overview/read-totals.ts';
import { RecentHours } from '../../../services/overview/recent-hours.ts';
import { SharedAnswers } from '../../../services/shared-answers.ts';
import { addRoute } from '../../add-route.ts';
import { ReadyAnswer } from '../../ready-answer.ts';

const MAX_SHARED_BYTES = 16 * 1024 * 1024;

/** Answers that many dashboards request within the same second. */
export class OverviewAnswers extends SharedAnswers<ReadyAnswer> {
  constructor() {
    super(MAX_SHARED_BYTES, ({ bytes }) => bytes);
  }
}

/** The standing of accounts, all of a user or one. */
export function registerStanding(
  server: FastifyInstance,
  context: Context & Parameters<typeof readStanding>[0],
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
}
