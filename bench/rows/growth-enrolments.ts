import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/broker-time.ts';
import { toUnits } from '../../src/domain/money.ts';
import type { EnrolmentDefinition } from '../../src/domain/programs/program-definition.ts';
import type { Database } from '../../src/storage/database.ts';
import { insertProgram } from '../../src/storage/program-store.ts';
import { learnSizes } from '../data/copies.ts';
import { PROGRAM_ID, storeLiveAccounts } from '../data/live.ts';
import { accountId, TOKEN, USER_ID } from '../data/user.ts';
import { growthRow, type Round } from '../growth.ts';
import { sendSnapshots } from '../load/send-snapshots.ts';
import { medianMs } from '../measure.ts';
import { cpuMsOf, residentBytesOf } from '../process-use.ts';
import { start, store } from '../servers/plimsoll.ts';

const FIRST_MS = Date.UTC(2026, 0, 5, 9);
const RETRY_MS = 20;
const MEGABYTE = 2 ** 20;
const MONEY_DIGITS = 4;
/** As many different terms as a firm's plans and refunds make; accounts of one plan share them. */
const BALANCES = 100;
const PAGES = 10;
const OVERVIEW = '/users/current/accounts-overview?sort=equity&limit=100';

type Figure = 'answering' | 'cpu' | 'fold' | 'page' | 'memory';

/** What it costs that accounts are in programs: rules of their own balance, and a reset clock. */
export const growthEnrolments = growthRow<Figure>({
  name: 'growth-enrolments',
  what: 'start, first fold, overview and memory at 10³ to 10⁵ enrolled accounts with reset clocks',
  ...{ largest: 100_000, of: 'enrolled accounts' },
  laws: {
    answering: { what: 'started until a first answer', unit: 'ms', most: 5000 },
    cpu: { what: 'of that, the processor', unit: 'ms' },
    fold: {
      what: 'until all have sent and are folded, the processor for each account',
      unit: 'ms',
    },
    page: { what: '100 enrolled rows of the overview, sorted by equity', unit: 'ms' },
    memory: { what: 'memory with enrolments', unit: 'MB', ratio: 10, most: 1000 },
  },
  open,
});

async function open(
  stack: AsyncDisposableStack,
  kind: Database['kind'],
  size: number,
): Promise<Round<Figure>> {
  const stored = await store(stack, kind, async (database) => {
    await storeLiveAccounts(database, size, 0, enrolmentOf);
    await database.transaction((tx) => insertProgram(tx, PROGRAM));
    await learnSizes(database);
  });
  let round = 0;
  return async () => {
    round += 1;
    await using life = new AsyncDisposableStack();
    const beganMs = performance.now();
    const { address, kill, process: child } = await start(life, stored);
    const pid = child.pid ?? 0;
    const ask = (path: string): Promise<string> => answered(`${address}${path}`);
    await ask(OVERVIEW);
    const answering = performance.now() - beganMs;
    const cpu = cpuMsOf(pid);
    const equity = 100_000 + round;
    await sendSnapshots(address, size, FIRST_MS + round * DAY_MS, () => equity);
    const last = `${OVERVIEW}&search=${accountId(size - 1)}`;
    for (let text = ''; !text.includes(`"equity":${equity}`); await sleep(RETRY_MS))
      text = await ask(last);
    const fold = (cpuMsOf(pid) - cpu) / size;
    const page = await medianMs(PAGES, (turn) =>
      ask(`${OVERVIEW}&offset=${Math.floor((turn * size) / PAGES)}`),
    );
    const memory = residentBytesOf(pid) / MEGABYTE;
    await kill();
    return { answering, cpu, fold, page, memory };
  };
}

const units = (amount: number): number => toUnits(amount, MONEY_DIGITS);

const PHASE = {
  name: 'Challenge',
  rules: [
    { kind: 'dailyLoss', share: 0.05 },
    { kind: 'maximumLoss', share: 0.1 },
  ],
  objectives: [{ kind: 'profitTarget', share: 0.08 }],
  resetClock: { zone: 'America/New_York', time: '17:00' },
} as const;

const PROGRAM = {
  ...{ id: PROGRAM_ID, version: 1, userId: USER_ID, name: 'Bench' },
  ...{ phases: [PHASE], createdAtMs: 1 },
};

const enrolmentOf = (index: number): EnrolmentDefinition => ({
  id: `enrolment-${index}`,
  phase: PHASE,
  initialBalance: units(100_000 + (index % BALANCES)),
});

/** Asks again a moment after 503, as clients do. */
async function answered(url: string): Promise<string> {
  for (;;) {
    const answer = await fetch(url, { headers: { 'auth-token': TOKEN } });
    const text = await answer.text();
    if (answer.status === 200) return text;
    if (answer.status !== 503) throw new Error(`GET ${url}: ${answer.status} ${text}`);
    await sleep(RETRY_MS);
  }
}
