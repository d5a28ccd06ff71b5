import { Gauge, Histogram, type Registry } from 'prom-client';
import type { PlatformContext } from '../services/platform-accounts/use-platform.ts';
import { countActions } from '../storage/breach-action-store.ts';
import type { Database } from '../storage/database.ts';
import { BreachWorker } from '../workers/breach-worker/breach-worker.ts';
import { systemTime } from './system-time.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** The worker with its metrics; the caller starts it if the process has the role `jobs`. */
export function createBreachWorker(
  context: PlatformContext,
  database: Database,
  registry: Registry,
): BreachWorker {
  const registers = [registry];
  const confirmed = new Histogram({
    name: 'plimsoll_breach_action_seconds',
    help: "From the event of a breach to the platform's confirmation of an action",
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  const gauge = (name: string, help: string, of: 'open' | 'escalated'): void => {
    new Gauge({
      ...{ name, help, registers },
      collect: whileDatabaseAnswers(async function () {
        this.set((await countActions(database, systemTime.now()))[of]);
      }),
    });
  };
  gauge('plimsoll_breach_actions_open', 'Actions at breaches that are not done yet', 'open');
  gauge(
    'plimsoll_breach_actions_escalated',
    'Actions at breaches that a person has to look at',
    'escalated',
  );
  return new BreachWorker(context, database, systemTime, (tookMs) =>
    confirmed.observe(tookMs / 1000),
  );
}
