import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { needs } from '../needs.ts';
import { ADMIN_TOKEN, Client, startOn } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import { exampleOf, requestsOf } from './blocks.ts';
import { commandsOf, recordsOf, Shell } from './shell.ts';

needs('server', 'curl');

/** Values of an answer remembered for later requests. */
const KEPT: [path: RegExp, variable: string, field: 'id' | 'token'][] = [
  [/\/admin\/users \\/, 'USER_ID', 'id'],
  [/\/admin\/users\/\$USER_ID\/tokens/, 'TOKEN', 'token'],
  [/"kind":"simulated"/, 'P5', 'id'],
  [/\/webhooks \\/, 'WEBHOOK', 'id'],
];
/** Their answers fill with the next checkpoint. */
const SETTLES = /equity-chart/;
/** The page leaves out the second hour. */
const IN_PART = /equity-chart/;

test('the requests of the guide are answered as the guide says', async (t) => {
  const running = await startOn('sqlite', { PLIMSOLL_WEBHOOK_PRIVATE: 'allow' });
  const receiver = createServer((_, response) => response.writeHead(204).end()).listen(0);
  await once(receiver, 'listening');
  t.after(async () => {
    receiver.close();
    await running.close();
  });
  const { port } = receiver.address() as AddressInfo;
  const shell = new Shell(t);
  const variables = exampleOf('docs/guide.md', 'TOKEN=plm_…');
  assert.deepEqual(variables.match(/^\w+(?==)/gm), ['BASE', 'TOKEN']);
  Object.assign(shell.variables, { BASE: running.server.address, ADMIN: ADMIN_TOKEN });
  const requests = requestsOf('docs/guide.md');
  assert.ok(requests.length >= 18, `${requests.length} blocks of requests`);
  for (const { text, answer } of requests) {
    if (/-N /.test(text)) await followsStream(shell, text);
    else await answers(shell, adapted(text, port), answer?.text);
    if (shell.variables.P5 && !shell.variables.P4) await addP4(shell, running.server.address);
  }
});

/** With what cannot be the same here: the receiver's address, and the webhook's id. */
const adapted = (text: string, port: number): string =>
  text
    .replace('https://example.com/plimsoll', `http://127.0.0.1:${port}`)
    .replace(/[0-9a-f]{8}-[-0-9a-f]{27}/, '$WEBHOOK');

async function answers(shell: Shell, block: string, documented: string | undefined) {
  const said: string[] = [];
  for (const command of commandsOf(block)) said.push(await answerOf(shell, command));
  if (documented === undefined) return;
  const expected = recordsOf(documented);
  const records = async (): Promise<unknown[]> => {
    const found = recordsOf(said.filter((text) => text !== '').join('\n'));
    return IN_PART.test(block) ? [(found[0] as unknown[]).slice(0, 1)] : found;
  };
  // A command without an answer of its own has the last one's.
  assert.deepEqual((await records()).slice(-expected.length), expected, block);
}

async function answerOf(shell: Shell, command: string): Promise<string> {
  let said = await shell.run(command);
  if (SETTLES.test(command)) {
    await until(async () => {
      said = await shell.run(command);
      return said !== '[]';
    }, command);
  }
  for (const [path, variable, field] of KEPT) {
    if (!path.test(command)) continue;
    const record = JSON.parse(said) as Record<string, string>;
    shell.variables[variable] = record[field] ?? assert.fail(`${command} has no ${field}`);
  }
  return said;
}

/** A stream has no end of its own within the test: the first event of it is enough. */
async function followsStream(shell: Shell, block: string): Promise<void> {
  // Ended at once: curl alone would only notice at the next comment that its output is closed.
  const stream = block.trimEnd().replace(/^curl /, 'exec curl --silent ');
  const said = await shell.run(`exec 3< <(${stream}); grep -m 1 -B 3 '^data: ' <&3; kill $!`);
  const first = /standing/.test(block)
    ? 'data: {"kind":"begin",'
    : 'id: 1\ndata: {"sequenceNumber":1,';
  assert.equal(
    said.replace(/^:.*\n\n/m, '').slice(0, 13 + first.length),
    `retry: 1000\n\n${first}`,
  );
}

async function addP4(shell: Shell, address: string): Promise<void> {
  const client = new Client(address, shell.variables.TOKEN);
  const p4 = { name: 'Simulated p4', platform: 'p4', kind: 'simulated' };
  const { body } = await client.post<{ id: string }>('/users/current/provisioning-profiles', p4);
  shell.variables.P4 = body.id;
}
