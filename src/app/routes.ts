import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { ReferenceSettings } from '../contract/openapi/document.ts';
import type { TradeComputer } from '../histories/trade-computer.ts';
import { registerReference } from '../http/reference/reference.ts';
import { registerAudit } from '../http/routes/admin/audit.ts';
import { registerMail } from '../http/routes/admin/mail.ts';
import { registerQuotaRequests } from '../http/routes/admin/quotas.ts';
import { registerUsers } from '../http/routes/admin/users.ts';
import { registerMargin } from '../http/routes/client/margin.ts';
import { registerPlatformAccounts } from '../http/routes/manager/platform-accounts.ts';
import { registerPlatformActions } from '../http/routes/manager/platform-actions.ts';
import { registerAccounts } from '../http/routes/provisioning/accounts.ts';
import { registerProfiles } from '../http/routes/provisioning/profiles.ts';
import { registerQuotas } from '../http/routes/provisioning/quotas.ts';
import { registerBreachActions } from '../http/routes/risk/breach-actions.ts';
import { registerCases } from '../http/routes/risk/cases.ts';
import { registerDocuments } from '../http/routes/risk/documents.ts';
import { registerEquityChart } from '../http/routes/risk/equity-chart.ts';
import { registerEventMail } from '../http/routes/risk/event-mail.ts';
import { registerIncidents } from '../http/routes/risk/incidents.ts';
import { registerEnrolments, registerPrograms } from '../http/routes/risk/programs.ts';
import { registerSnapshots } from '../http/routes/risk/snapshots.ts';
import { OverviewAnswers, registerStanding } from '../http/routes/risk/standing.ts';
import { registerTrackerEvents } from '../http/routes/risk/tracker-events.ts';
import { registerTrackers } from '../http/routes/risk/trackers.ts';
import { registerWebhooks } from '../http/routes/risk/webhooks.ts';
import { registerDeals } from '../http/routes/stats/deals.ts';
import { registerExportRoutes } from '../http/routes/stats/exports.ts';
import { registerHistoricalTrades } from '../http/routes/stats/historical-trades.ts';
import { registerMetricsRoutes } from '../http/routes/stats/metrics.ts';
import { registerStatements } from '../http/routes/stats/statements.ts';
import { registerDashboard } from '../http/routes/system/dashboard.ts';
import { type Readiness, registerHealth } from '../http/routes/system/health.ts';
import { registerOwnTokens } from '../http/routes/system/own-tokens.ts';
import { registerPeople } from '../http/routes/system/people.ts';
import { registerSessions } from '../http/routes/system/sessions.ts';
import type { Context } from '../services/context.ts';
import { unavailable } from '../services/errors.ts';
import { LastingMetrics } from '../services/metrics/lasting-metrics.ts';
import type { PageCache } from '../services/page-cache.ts';
import {
  readAddedMargin,
  readPlatformMarket,
} from '../services/platform-accounts/read-platform-market.ts';
import type { QuotaSettings } from '../services/quotas/quota-settings.ts';
import type { ProviderRules } from '../services/sessions/provider-sign-in.ts';
import type { Authentication } from '../services/users/authenticate.ts';
import type { Database } from '../storage/database.ts';
import type { StandingWork } from '../workers/standing-work.ts';
import type { Live } from './live.ts';
import { registerCacheMetrics } from './load-metrics.ts';
import type { Platforms } from './platforms.ts';

const STALLED_RETRY_AFTER_SECONDS = 30;

export type RouteParts = {
  context: Context;
  database: Database;
  authentication: Authentication;
  trades: TradeComputer;
  pages: PageCache;
  metrics: Registry;
  quotas: QuotaSettings;
  platforms: Platforms;
  live: Live;
  journalFailure: () => Promise<string | undefined>;
  reference: ReferenceSettings;
  providerRules: ProviderRules | undefined;
  /** A process without the role answers only for its health and metrics. */
  isApi: boolean;
  quietJobs: boolean;
  standingWork: StandingWork;
};

/** Work tried by then is not worth reporting. */
const STANDS_SECONDS = 10;

export function registerRoutes(server: FastifyInstance, parts: RouteParts): void {
  const { context, metrics, live } = parts;
  const checkReady = async (): Promise<Readiness> => {
    await context.database.get('select 1 as one');
    const failure = await parts.journalFailure();
    if (failure !== undefined) throw unavailable(failure, STALLED_RETRY_AFTER_SECONDS);
    const { outdated, partitions = [] } = live.engine ?? {};
    if (outdated) throw unavailable(outdated, STALLED_RETRY_AFTER_SECONDS);
    const stalled = partitions.filter(({ failing }) => failing.length > 0);
    if (stalled.length > 0) {
      const numbers = stalled.map(({ partition }) => partition).join();
      const message = `Partitions ${numbers} are stalled; see the server log`;
      throw unavailable(message, STALLED_RETRY_AFTER_SECONDS);
    }
    const standing = await parts.standingWork.look();
    return {
      standingWork: standing
        .filter(([, seconds]) => seconds > STANDS_SECONDS)
        .map(([work, seconds]) => ({ work, seconds })),
      quarantinedAccounts: partitions.reduce((sum, one) => sum + one.quarantined, 0),
      quietJobs: parts.quietJobs,
    };
  };
  const checkLive = (): void => {
    const { failure } = parts.database;
    if (failure) throw unavailable(failure, STALLED_RETRY_AFTER_SECONDS);
  };
  const { version } = parts.reference;
  registerHealth(server, { checkLive, checkReady, metrics, version });
  registerReference(server, parts.reference);
  if (parts.isApi) registerOperations(server, parts);
}

/** Every operation, one line each, by base address. */
function registerOperations(server: FastifyInstance, parts: RouteParts): void {
  const { context, trades, pages, quotas, platforms, live } = parts;
  const lasting = new LastingMetrics();
  const overview = new OverviewAnswers();
  registerCacheMetrics(parts.metrics, { pages, statistics: lasting, overview });
  const platformContext = { ...context, ...platforms };
  registerDashboard(server, context);
  registerOwnTokens(server, context);
  registerPeople(server, context);
  const sessionContext = { ...context, ...parts.authentication };
  registerSessions(server, sessionContext, parts.metrics, parts.providerRules);
  registerUsers(server, platformContext);
  registerAccounts(server, { ...context, ...quotas });
  registerQuotas(server, { ...context, ...quotas });
  registerQuotaRequests(server, { ...context, ...quotas });
  registerMail(server, context);
  registerAudit(server, context);
  registerDeals(server, context);
  registerProfiles(server, platformContext);
  registerPlatformAccounts(server, platformContext);
  registerPlatformActions(server, platformContext);
  registerMargin(server, {
    ...context,
    readPlatformMarket: (account, symbol) => readPlatformMarket(platformContext, account, symbol),
    readAddedMargin: (account, order) => readAddedMargin(platformContext, account, order),
  });
  registerSnapshots(server, { ...live, room: context.changes });
  registerTrackerEvents(server, { ...context, feed: live.feed });
  registerCases(server, { ...context, trades, evidenceKeys: live.evidenceKeys });
  registerIncidents(server, context);
  registerBreachActions(server, context);
  registerDocuments(server, context);
  registerEventMail(server, context);
  registerStanding(server, { ...context, live: live.live, standings: live.standings }, overview);
  registerWebhooks(server, { ...context, allowPrivate: live.allowPrivateWebhooks });
  registerEquityChart(server, { ...context, live: live.live, pages });
  registerTrackers(server, { ...context, live: live.live });
  registerPrograms(server, { ...context, live: live.live });
  registerEnrolments(server, { ...context, live: live.live });
  registerStatements(server, { ...context, ...quotas, trades });
  const statistics = { ...context, trades, lasting, live: live.live };
  registerMetricsRoutes(server, statistics);
  registerExportRoutes(server, statistics);
  registerHistoricalTrades(server, {
    ...context,
    trades,
    pages,
    updateHistory: (account) => platforms.syncer.updateHistory(account),
  });
}
