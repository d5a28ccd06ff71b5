/**
 * Runs the reference p4 bridge of scripts/p4-bridge over a simulated platform in memory:
 *
 *   npx node scripts/p4-reference-bridge.ts --token <long random text> [--port 8443]
 *     [--key key.pem --cert cert.pem]
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { systemTime } from '../src/app/system-time.ts';
import { SimulatedBroker } from '../src/demo/platform/broker.ts';
import { Histories } from '../src/demo/platform/histories.ts';
import { MemoryStore } from '../src/demo/platform/memory-store.fixture.ts';
import { SimulatedGateway } from '../src/demo/platform/simulated-gateway.ts';
import { answerCall, sendAnswer } from './p4-bridge/answer-call.ts';
import { ManagerLibrary } from './p4-bridge/library.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8443' },
    token: { type: 'string' },
    key: { type: 'string' },
    cert: { type: 'string' },
  },
});
const { token } = values;
if (!token) throw new Error('--token is required: a long random text');
const broker = await SimulatedBroker.open({
  ...{ family: 'p4', seed: 7, store: new MemoryStore(), now: Date.now },
  ...{ userId: 'bridge', histories: new Histories(systemTime) },
});
const library = new ManagerLibrary(new SimulatedGateway(broker));

function listener(request: IncomingMessage, response: ServerResponse): void {
  answerCall({ library, token: `${token}` }, request).then(
    (answer) => sendAnswer(response, answer),
    (error: unknown) => {
      process.stderr.write(`${error}\n`);
      response.destroy();
    },
  );
}

const server =
  values.key && values.cert
    ? createHttps({ key: readFileSync(values.key), cert: readFileSync(values.cert) }, listener)
    : createHttp(listener);
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`The reference p4 bridge listens on port ${port} of this machine\n`);
});
