import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/broker-time.ts';
import type { Database } from '../../src/storage/database.ts';
import { storeManyAccounts } from '../data/copies.ts';
import { accountId, TOKEN } from '../data/user.ts';
import { growthRow, type Round } from '../growth.ts';
import { sendSnapshots } from '../load/send-snapshots.ts';
import { cpuMsOf } from '../process-use.ts';
import { start, store } from '../servers/plimsoll.ts';

const TRACKERS = 3;
const FIRST_MS = Date.UTC(2026, 0, 5, 9);
const RETRY_MS = 20;

type Figure = 'answering' | 'cpu' | 'asOfNow' | 'last' | 'atSpeed' | 'each';

/** What a server that was killed needs until it is itself again. */
export const growthStart = growthRow<Figure>({
  name: 'growth-start',
  what: 'start after kill -9 at 10³ to 10⁵ accounts with 3 trackers, all of which send at once',
  ...{ largest: 100_000, of: 'accounts' },
  laws: {
    answering: { what: 'started until a first answer', unit: 'ms', most: 5000 },
    cpu: { what: 'of that, the processor', unit: 'ms' },
    asOfNow: { what: 'until a first answer as of now', unit: 'ms', ratio: 5, most: 5000 },
    last: { what: 'the last that has sent, as of now', unit: 'ms', ratio: 1000, most: 5000 },
    atSpeed: { what: 'until all have sent and are folded', unit: 'ms', ratio: 200, most: 10_000 },
    each: { what: 'until then, the processor for each account', unit: 'ms' },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
): Promise<Round<Figure>> {
  let tracker = '';
  const stored = await store(stack, kind, async (database) => {
    const { id } = await storeManyAccounts(database, size, TRACKERS);
    tracker = `${id}-0`;
  });
  let round = 0;
  return async () => {
    round += 1;
    await using life = new AsyncDisposableStack();
    const beganMs = performance.now();
    const since = (): number => performance.now() - beganMs;
    const { address, kill, process: child } = await start(life, stored);
    const pid = child.pid ?? 0;
    const ask = (index: number, query = '', isIt = (_: string) => true) =>
      answered(
        `${address}/users/current/accounts/${accountId(index)}/trackers/${tracker}/statistics${query}`,
        isIt,
      );
    await ask(0);
    const answering = since();
    const cpu = cpuMsOf(pid);
    const timeMs = FIRST_MS + round * DAY_MS;
    const day = new Date(timeMs).toISOString().slice(0, 10);
    const sent = sendSnapshots(address, size, timeMs, () => 100_000 + round);
    await ask(0, '?realTime=true');
    const asOfNow = since();
    await sent;
    const sentMs = since();
    await ask(size - 1, '?realTime=true');
    const last = since() - sentMs;
    // At hand are the days of what is folded.
    await ask(size - 1, '', (text) => text.includes(day));
    const atSpeed = since();
    const each = (cpuMsOf(pid) - cpu) / size;
    await kill();
    return { answering, cpu, asOfNow, last, atSpeed, each };
  };
}

/** Asks again a moment after 503, as clients do, and until the answer is the one. */
async function answered(url: string, isIt: (text: string) => boolean): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { headers: { 'auth-token': TOKEN } });
    const text = await answer.text();
    if (answer.status === 200 && isIt(text)) return;
    if (answer.status !== 200 && answer.status !== 503) {
      throw new Error(`GET ${url}: ${answer.status} ${text}`);
    }
    await sleep(RETRY_MS);
  }
}
