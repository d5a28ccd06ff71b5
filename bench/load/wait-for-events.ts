/**
 * A process of many pollers, on a socket each. Told to wait, each asks for events after a number
 * and asks again after an empty answer, until events come. Told to post, it sends a body and tells
 * how long after that the first and the last poller had their answer.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TOKEN } from '../data/user.ts';

type Target = { port: number; path: string };
type Wait = Target & {
  pollers: number;
  /** How long an empty answer is held. */
  waitSeconds: number;
  /** The first polls are held for different times, so that not all are asked anew together. */
  isSpread: boolean;
};
type Post = Target & { body: string };
export type PollerOrder = ({ kind: 'wait' } & Wait) | ({ kind: 'post' } & Post) | { kind: 'leave' };
export type PollerReport = {
  firstMs: number;
  lastMs: number;
  /** Of the last answer. */
  answer: string;
  /** Answers without an event so far. */
  emptyAnswers: number;
};

const CONNECTED_AT_A_TIME = 250;
const EMPTY = '[]';
const HEAD_END = '\r\n\r\n';

let pollers: Socket[] = [];
let answeredAt: number[] = [];
let emptyAnswers = 0;
let answer = '';
let allAnswered = Promise.withResolvers<void>();

const headOf = (method: string, path: string, length: number): string =>
  `${method} ${path} HTTP/1.1\r\nhost: bench\r\nauth-token: ${TOKEN}\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${length}\r\n\r\n`;

/** The bodies of the answers on a socket, one at a time; throws for any status but 200. */
function onAnswer(socket: Socket, heard: (body: string) => void): void {
  let received = '';
  socket.setNoDelay(true).on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const head = received.indexOf(HEAD_END);
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    const body = received.slice(head + HEAD_END.length);
    if (body.length < length) return;
    if (!received.startsWith('HTTP/1.1 200')) throw new Error(received.slice(0, 500));
    received = '';
    heard(body);
  });
}

async function poll(wait: Wait, number: number): Promise<void> {
  const socket = connect(wait.port, '127.0.0.1');
  pollers.push(socket);
  const ask = (seconds: number): void =>
    void socket.write(headOf('GET', `${wait.path}&wait=${seconds}`, 0));
  onAnswer(socket, (body) => {
    if (body === EMPTY) {
      emptyAnswers += 1;
      return ask(wait.waitSeconds);
    }
    answeredAt.push(performance.now());
    answer = body;
    if (answeredAt.length === wait.pollers) allAnswered.resolve();
  });
  await once(socket, 'connect');
  ask(wait.isSpread ? (wait.waitSeconds * (number + 1)) / wait.pollers : wait.waitSeconds);
}

async function wait(order: Wait): Promise<void> {
  answeredAt = [];
  emptyAnswers = 0;
  allAnswered = Promise.withResolvers();
  for (let start = 0; start < order.pollers; start += CONNECTED_AT_A_TIME) {
    const count = Math.min(CONNECTED_AT_A_TIME, order.pollers - start);
    await Promise.all(Array.from({ length: count }, (_, index) => poll(order, start + index)));
  }
}

async function post({ port, path, body }: Post): Promise<{ firstMs: number; lastMs: number }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const taken = new Promise<void>((resolve) => onAnswer(socket, () => resolve()));
  const began = performance.now();
  socket.write(headOf('POST', path, Buffer.byteLength(body)) + body);
  await Promise.all([taken, allAnswered.promise]);
  socket.destroy();
  return {
    firstMs: (answeredAt[0] ?? Number.NaN) - began,
    lastMs: (answeredAt.at(-1) ?? Number.NaN) - began,
  };
}

/** Resets the connections: ten thousand that end in turn would use up the ports. */
function leave(): void {
  for (const socket of pollers) socket.resetAndDestroy();
  pollers = [];
}

process.on('message', async (order: PollerOrder) => {
  const report: PollerReport = { firstMs: 0, lastMs: 0, answer, emptyAnswers };
  if (order.kind === 'wait') await wait(order);
  else if (order.kind === 'post') Object.assign(report, await post(order));
  else leave();
  process.send?.({ ...report, answer, emptyAnswers } satisfies PollerReport);
});
process.once('disconnect', () => process.exit());
process.send?.(0);
