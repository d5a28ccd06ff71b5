import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BRIDGE_CALLS } from '../../../scripts/p4-bridge/calls.ts';
import { needs } from '../../../test/needs.ts';
import {
  type P4BridgeProcess,
  startP4Bridge,
} from '../../../test/servers/p4-bridge-server-process.ts';
import { runPlimsoll } from '../../../test/servers/plimsoll-command.ts';
import type { CheckedCall } from '../call-check.ts';
import { checkBridge } from './check-bridge.ts';

needs('server');

let bridge: P4BridgeProcess;
before(async () => {
  bridge = await startP4Bridge();
});
after(() => bridge.kill());

const check = async (token = 'bridge-token'): Promise<CheckedCall[]> =>
  (await checkBridge({ server: bridge.url, token, allowPrivate: true }, undefined)).rows;
const of = (rows: readonly CheckedCall[], outcome: string): string[] => [
  ...new Set(rows.filter((row) => row.outcome === outcome).map(({ call }) => call)),
];

test('every call of a complete bridge is answered or left alone, and nothing is changed', async () => {
  await bridge.setCalls({});
  await bridge.calls();
  const rows = await check();
  assert.deepEqual(of(rows, 'failed'), []);
  assert.deepEqual(of(rows, 'missing'), []);
  const named = new Set(rows.map(({ call }) => call));
  assert.deepEqual([...named].sort(), Object.keys(BRIDGE_CALLS).sort());
  const asked = await bridge.calls();
  const writes = asked.filter((call) => !/^GET |^POST \/v1\/(?:states|closed-orders)$/.test(call));
  assert.deepEqual(writes, []);
});

test('missing calls of a bridge are named, whether its health lists calls or not', async () => {
  const without = ['POST /states', 'GET /market', 'POST /users'];
  await bridge.setCalls({ without });
  assert.deepEqual(of(await check(), 'missing').sort(), without.toSorted());
  await bridge.setCalls({ without, listsCalls: false });
  assert.deepEqual(of(await check(), 'missing').sort(), ['GET /market', 'POST /states']);
  await bridge.setCalls({});
});

test('a bridge that cannot be used fails, and says why', async () => {
  const failed = (await check('wrong')).filter(({ outcome }) => outcome === 'failed');
  assert.match(failed[0]?.detail ?? '', /65/);
});

test('the command prints a line for each call', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-check-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  writeFileSync(file, 'bridge-token\n');
  const ok = await runPlimsoll(['check-bridge', bridge.url, '--token-file', file], {});
  assert.equal(ok.code, 0, ok.stderr);
  assert.match(ok.stdout, /^GET \/accounts\/\{login\} +ok +balance /m);
  writeFileSync(file, 'wrong');
  const wrong = await runPlimsoll(['check-bridge', bridge.url, '--token-file', file], {});
  assert.equal(wrong.code, 1);
  const without = await runPlimsoll(['check-bridge', bridge.url], {});
  assert.equal(without.code, 1);
  assert.match(without.stdout, /^GET \/health +failed /m);
});
