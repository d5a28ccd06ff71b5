import type { FastifyInstance } from 'fastify';
import { readStandingOperation } from '../../../contract/operations/account-standing.ts';
import { listAccountLabelsOperation } from '../../../contract/operations/accounts.ts';
import {
  accountsOverviewOperation,
  readAccountTotalsOperation,
} from '../../../contract/operations/accounts-overview.ts';
import type { Context } from '../../../services/context.ts';
import { OverviewTables } from '../../../services/overview/overview-tables.ts';
import { readOverview } from '../../../services/overview/read-overview.ts';
import { readStanding } from '../../../services/overview/read-standing.ts';
import { listAccountLabels, readAccountTotals } from '../../../services/overview/read-totals.ts';
import { RecentHours } from '../../../services/overview/recent-hours.ts';
import { addRoute } from '../../add-route.ts';

/** Where accounts stand, all of a user or one. */
export function registerStanding(
  server: FastifyInstance,
  context: Context & Parameters<typeof readStanding>[0],
): void {
  const overview = {
    ...context,
    overviews: new OverviewTables(context),
    recentHours: new RecentHours(),
  };
  addRoute(server, accountsOverviewOperation, ({ principal, query }) =>
    readOverview(overview, principal, query),
  );
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
