import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BRIDGE_CALLS } from '../../../scripts/p4-bridge/calls.ts';
import {
  type P4BridgeProcess,
  startP4Bridge,
} from '../../../test/servers/p4-bridge-server-process.ts';
import type { PlatformError } from '../gateway.ts';
import { P4BridgeGateway } from './p4-bridge-gateway.ts';

const LOGIN = 100002;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 18, 12);
const RANGE = { fromMs: NOW - 3 * DAY_MS, toMs: NOW + DAY_MS };
const QUERY = { ...RANGE, login: LOGIN, moneyDigits: 4 };
const SELECTION = { logins: [LOGIN] };

let bridge: P4BridgeProcess;
before(async () => {
  bridge = await startP4Bridge();
});
after(() => bridge.kill());

const open = (): P4BridgeGateway =>
  new P4BridgeGateway({
    ...{ server: bridge.url, token: 'bridge-token', allowPrivate: true },
    limits: { retryMs: 1 },
  });

/** The calls needed to read an account, and those of which one is enough. */
const NEEDS: readonly [
  what: string,
  read: (gateway: P4BridgeGateway) => Promise<unknown>,
  oneOf: readonly string[],
][] = [
  ['its clock', (gateway) => gateway.check(), ['GET /health']],
  [
    'its state',
    (gateway) => Array.fromAsync(gateway.readStates(SELECTION)),
    ['POST /states', 'GET /accounts/{login}'],
  ],
  [
    'its balance',
    async (gateway) => (await gateway.accountInformation(LOGIN))?.balance,
    ['GET /accounts/{login}', 'POST /states'],
  ],
  ['its deals', (gateway) => gateway.deals(QUERY), ['GET /closed-orders', 'POST /closed-orders']],
  [
    'deals of many',
    (gateway) =>
      Array.fromAsync(gateway.readDeals({ selection: SELECTION, ...RANGE, moneyDigits: () => 4 })),
    ['POST /closed-orders', 'GET /closed-orders'],
  ],
  [
    'their number',
    (gateway) => gateway.countDeals(QUERY),
    ['GET /closed-orders/count', 'GET /closed-orders', 'POST /closed-orders'],
  ],
];

const WAYS = [
  { missingStatus: 501, listsCalls: false },
  { missingStatus: 404, listsCalls: false },
  { missingStatus: 405, listsCalls: false },
  { missingStatus: 501, listsCalls: true },
] as const;

/** Every call alone, and all pairs. */
function* setsOf(names: readonly string[]): Generator<string[]> {
  for (const [place, name] of names.entries()) {
    yield [name];
    for (const other of names.slice(place + 1)) yield [name, other];
  }
}

async function whole(): Promise<Map<string, string>> {
  await bridge.setCalls({});
  const gateway = open();
  const all = new Map<string, string>();
  for (const [what, read] of NEEDS) all.set(what, JSON.stringify(await read(gateway)));
  await gateway.close();
  return all;
}

for (const way of WAYS)
  test(`accounts are read with any call missing, or the call is named, with ${JSON.stringify(way)}`, async () => {
    const expected = await whole();
    for (const without of setsOf(Object.keys(BRIDGE_CALLS))) {
      await bridge.setCalls({ ...way, without });
      const gateway = open();
      for (const [what, read, oneOf] of NEEDS) {
        const outcome = await read(gateway).then(
          (found) => `${JSON.stringify(found)}`,
          (error: PlatformError) => `${error.code} ${error.message}`,
        );
        const isPossible =
          oneOf.some((name) => !without.includes(name)) &&
          (what !== 'its clock' || !without.includes('GET /health'));
        const told = `${what} without ${without}: ${outcome.slice(0, 200)}`;
        if (without.includes('GET /health') && outcome.includes('GET /health')) continue;
        if (isPossible) assert.equal(outcome, expected.get(what), told);
        else
          assert.ok(
            oneOf.some((name) => outcome.endsWith(`has no ${name}`)),
            told,
          );
      }
      await gateway.close();
    }
  });
