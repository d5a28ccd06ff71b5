import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../services/context.ts';
import { countAsides } from '../storage/seal-aside-store.ts';
import type { StandingWork } from '../workers/standing-work.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** One measure, and one alert, for all kinds of background work. */
export function registerStandingWork(registry: Registry, standing: StandingWork): void {
  new Gauge({
    name: 'plimsoll_standing_work_seconds',
    help: 'For how long the first due item of a kind of background work has not been tried',
    labelNames: ['work'],
    registers: [registry],
    collect: whileDatabaseAnswers(async function () {
      for (const [work, seconds] of await standing.look()) this.labels(work).set(seconds);
    }),
  });
}

/** Work that goes on without some users. */
export function registerUnsealedUsers(registry: Registry, { database }: Context): void {
  new Gauge({
    name: 'plimsoll_unsealed_users',
    help: 'Users whose events cannot be sealed',
    registers: [registry],
    collect: whileDatabaseAnswers(async function () {
      this.set(await countAsides(database));
    }),
  });
}
