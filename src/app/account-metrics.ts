import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../services/context.ts';
import { FRESH_MS } from '../services/overview/standing.ts';
import { countAccountStates } from '../storage/account-states-store.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** Of all users' accounts: those that are unwatched, or watched wrongly. */
export function registerAccountMetrics(registry: Registry, { database, now }: Context): void {
  new Gauge({
    name: 'plimsoll_accounts',
    help: 'Accounts in use by state: live, stale, clockOff, unwatched',
    labelNames: ['state'],
    registers: [registry],
    collect: whileDatabaseAnswers(async function () {
      const counts = await countAccountStates(database, now(), FRESH_MS);
      for (const [state, count] of Object.entries(counts)) this.labels(state).set(count);
    }),
  });
}
