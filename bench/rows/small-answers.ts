import type { Database } from '../../src/storage/database.ts';
import { insertTracker } from '../../src/storage/tracker-store.ts';
import { storeAccounts, storeUser, TOKEN } from '../data/user.ts';
import { forkServer } from '../forked.ts';
import { GOALS } from '../goals.ts';
import { askWithWrk } from '../load/wrk.ts';
import { interleave, judge } from '../measure.ts';
import { labelOf, onDatabases } from '../on-databases.ts';
import type { Bench, BenchRow, Result } from '../row.ts';
import { serve } from '../servers/plimsoll.ts';

const CONNECTIONS = 16;
const BYTES = 60;
const ACCOUNTS = 100;

/** A tracker, and a page of events without events. */
export const smallAnswers: BenchRow = {
  name: 'small-answers',
  what: 'a tracker and an empty page of events, 16 connections',
  needs: ['wrk'],
  run: onDatabases(runOn),
};

async function runOn(bench: Bench, kind: Database['kind']): Promise<Result[]> {
  await using stack = new AsyncDisposableStack();
  const { address } = await serve(stack, kind, async (database) => {
    await storeUser(database);
    await database.transaction(async (tx) => {
      for (const { id, number } of await storeAccounts(tx, ACCOUNTS)) {
        await insertTracker(tx, number, { id: `t-${id}`, name: 'Daily loss', period: 'day' }, 1);
      }
    });
  });
  const bare = await forkServer('servers/bare-http.ts', { bytes: BYTES });
  stack.defer(() => bare.stop());
  const load = { connections: CONNECTIONS, seconds: bench.seconds, token: TOKEN };
  const tracker = `local a = n % ${ACCOUNTS}
    return string.format("/users/current/accounts/bench-%06d/trackers/t-bench-%06d", a, a)`;
  const events = 'return "/users/current/drawdown-events/stream?wait=0"';
  const samples = await interleave(bench, {
    bare: () => askWithWrk({ ...load, address: bare.address, path: 'return "/"' }),
    tracker: () => askWithWrk({ ...load, address, path: tracker }),
    events: () => askWithWrk({ ...load, address, path: events }),
  });
  const peer = { name: 'bare node:http', samples: samples.bare };
  const name = labelOf(kind);
  return [
    judge(`a tracker, ${name}`, 'answers/s', samples.tracker, peer, GOALS.smallAnswerToBareHttp),
    judge(
      `an empty page of events, ${name}`,
      'answers/s',
      samples.events,
      peer,
      GOALS.smallAnswerToBareHttp,
    ),
  ];
}
