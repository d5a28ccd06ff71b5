/**
 * A p4 bridge for tests: docs/p4-bridge.openapi.json over the simulated p4 broker, as a process of
 * its own, with faults that `POST /control/fault` switches on. Prints its port as JSON.
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { answerCall, sendAnswer } from '../../scripts/p4-bridge/answer-call.ts';
import { systemTime } from '../../src/app/system-time.ts';
import { SimulatedBroker } from '../../src/demo/platform/broker.ts';
import { Histories } from '../../src/demo/platform/histories.ts';
import { SimulatedGateway } from '../../src/demo/platform/simulated-gateway.ts';
import { control, TestLibrary } from './p4-bridge-server-control.ts';
import { FileStore } from './simulated-file-store.ts';

export type BridgeFault =
  | { kind: 'none' }
  /** Breaks off before anything is done. */
  | { kind: 'break'; times?: number }
  /** Sends the answer this late. */
  | { kind: 'slow'; ms: number; times?: number }
  /** Does the work and never answers: requests with this beginning, such as `PATCH /v1/users`. */
  | { kind: 'silent'; request: string; times?: number }
  /** Breaks off in the middle of the body. */
  | { kind: 'drop'; times?: number }
  /** Does the work and closes without an answer. */
  | { kind: 'lostAnswer'; times?: number }
  | { kind: 'status'; status: number; code?: number; retryAfter?: number; times?: number }
  | { kind: 'garbage'; times?: number }
  | { kind: 'huge'; bytes: number; times?: number }
  /** Every page names itself as the next one. */
  | { kind: 'endless'; times?: number }
  /** The manager session sees nothing until it is logged in again; lasting: not even then. */
  | { kind: 'idleLogout'; lasting?: boolean };

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    token: { type: 'string', default: 'bridge-token' },
    now: { type: 'string', default: String(Date.UTC(2026, 10, 18, 12)) },
    /** Time goes on from there; it stands still otherwise. */
    moving: { type: 'boolean', default: false },
    state: { type: 'string' },
    key: { type: 'string' },
    cert: { type: 'string' },
  },
});

let fault: BridgeFault = { kind: 'none' };
/** Each answer comes this much later, as if the bridge stood far away. */
let latencyMs = 0;
const calls: string[] = [];
const broker = await SimulatedBroker.open({
  family: 'p4',
  seed: 7,
  store: new FileStore(values.state),
  ...{ userId: 'user', histories: new Histories(systemTime) },
  now: () => Number(values.now) + (values.moving ? Math.floor(performance.now()) : 0),
});
const library = new TestLibrary(new SimulatedGateway(broker));
/** Its missing calls, and how they fail; `POST /control/calls` changes it. */
let lacks: { without?: string[]; missingStatus?: 404 | 405 | 501; listsCalls?: boolean } = {};

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://bridge');
  const isControl = url.pathname.startsWith('/control/');
  const body = isControl ? await readAll(request) : '';
  // Kept open, it might be closed just when a test sends its next call.
  if (isControl) response.setHeader('connection', 'close');
  if (url.pathname === '/control/fault') {
    fault = JSON.parse(body) as BridgeFault;
    library.isLoggedOut = fault.kind === 'idleLogout';
    library.staysOut = fault.kind === 'idleLogout' && fault.lasting === true;
    response.end('{}');
    return;
  }
  if (url.pathname === '/control/network') {
    latencyMs = Number(JSON.parse(body).latencyMs);
    response.end('{}');
    return;
  }
  if (url.pathname === '/control/do') {
    response.end(JSON.stringify(await control(library, JSON.parse(body))));
    return;
  }
  if (url.pathname === '/control/calls') {
    if (body !== '') lacks = JSON.parse(body);
    response.end(JSON.stringify(calls.splice(0)));
    return;
  }
  calls.push(`${request.method} ${request.url}`);
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
  await answer(request, response, url);
}

async function answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const now = takeFault(`${request.method} ${url.pathname}`);
  if (now.kind === 'status') {
    if (now.retryAfter !== undefined) response.setHeader('retry-after', now.retryAfter);
    const problem = now.code === undefined ? {} : { code: now.code, message: 'Injected' };
    return sendAnswer(response, { status: now.status, body: problem });
  }
  if (now.kind === 'huge') return void response.end(`"${'x'.repeat(now.bytes)}"`);
  if (now.kind === 'garbage') return void response.end('<html>It works!</html>');
  if (now.kind === 'break') return void request.socket.destroy();
  const without = new Set(lacks.without);
  const done = await answerCall({ library, token: values.token, ...lacks, without }, request);
  if (now.kind === 'silent') return;
  if (now.kind === 'lostAnswer') return void request.socket.destroy();
  if (now.kind === 'drop') {
    const text = JSON.stringify(done.body);
    response.writeHead(done.status, { 'content-length': Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
    return;
  }
  if (now.kind === 'endless') Object.assign(done.body, { nextCursor: 'again' });
  if (now.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, now.ms));
  sendAnswer(response, done);
}

function takeFault(request: string): BridgeFault {
  const taken = fault;
  if (taken.kind === 'silent' && !request.startsWith(taken.request)) return { kind: 'none' };
  if (taken.kind === 'none' || taken.kind === 'idleLogout') return { kind: 'none' };
  const times = (taken.times ?? Number.POSITIVE_INFINITY) - 1;
  fault = times > 0 ? { ...taken, times } : { kind: 'none' };
  return taken;
}

const listener = (request: IncomingMessage, response: ServerResponse): void => {
  handle(request, response).catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    response.destroy();
  });
};
const server =
  values.key && values.cert
    ? createHttps({ key: readFileSync(values.key), cert: readFileSync(values.cert) }, listener)
    : createHttp(listener);
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port })}\n`);
  // Not at its end, which is a SIGKILL: the next one starts in a third of the time.
  flushCompileCache();
});
// The process that started this one holds its stdin open: without it, the server is not needed.
process.stdin.resume().on('end', () => process.exit(0));
