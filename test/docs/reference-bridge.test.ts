import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { BRIDGE_CALLS } from '../../scripts/p4-bridge/calls.ts';
import { P4BridgeGateway } from '../../src/platforms/p4-bridge/p4-bridge-gateway.ts';
import { exampleOf, ROOT } from './blocks.ts';

test('the reference bridge runs as its document says, and Plimsoll reads through it', async (t) => {
  const command = exampleOf('docs/p4-bridge.md', 'p4-reference-bridge');
  const [, script = '', token = ''] =
    /npx node (\S+) --token "(.+)" --port \d+/.exec(command) ?? [];
  const child = spawn(process.execPath, [script, '--token', token, '--port', '0'], {
    ...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const line = String((await lines[Symbol.asyncIterator]().next()).value);
  const port = /port (\d+)/.exec(line)?.[1];
  const server = `http://127.0.0.1:${port}`;
  const gateway = new P4BridgeGateway({ server, token, allowPrivate: true });
  t.after(() => gateway.close());
  await gateway.check();
  const [group] = await gateway.groups();
  const [user] = await gateway.usersOfGroup(group?.name ?? '');
  const login = Number(user?.login);
  const [[state] = []] = await Array.fromAsync(gateway.readStates({ logins: [login] }));
  assert.equal(state?.login, login);
  const answer = await fetch(`${server}/v1/health`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { calls } = (await answer.json()) as { calls: string[] };
  assert.deepEqual(calls, Object.keys(BRIDGE_CALLS));
  assert.equal((await fetch(`${server}/v1/health`)).status, 401);
});
