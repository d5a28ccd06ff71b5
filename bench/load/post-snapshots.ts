/**
 * A process that posts snapshots as fast as they are taken, or at a pace, on sockets of its own:
 * requests are made once and only their times and equities are written anew. Sends how far it came.
 */
import { connect, type Socket } from 'node:net';
import { accountId, TOKEN } from '../data/user.ts';
import { sendLast } from './send-last.ts';

export type PostSettings = {
  /** Connections are dealt out to them in turns. */
  ports: readonly number[];
  path: string;
  /** NDJSON as Plimsoll takes it, or InfluxDB's lines. */
  format: 'ndjson' | 'influx';
  connections: number;
  seconds: number;
  accounts: number;
  rowsPerRequest: number;
  startMs: number;
  /** From one snapshot of an account to the next; default 10 s. */
  stepMs?: number;
  /** Snapshots a second at most. */
  pace?: number;
};
/**
 * `refused`: requests that got 503 and were sent again when the answer said; the processor is its
 * own.
 */
export type Posted = {
  snapshots: number;
  refused: number;
  seconds: number;
  nextMs: number;
  cpuMs: number;
};

const STEP_MS = 10_000;
const SECOND_MS = 1000;
const TIME = '2026-11-20 00:00:00.000';
const NANOSECONDS = '1700000000000000000';
const EQUITY = '100123.45';

const settings = JSON.parse(process.argv[2] ?? '{}') as PostSettings;
const { ports, path, format, connections, accounts, rowsPerRequest, startMs } = settings;
const { stepMs = STEP_MS, pace = Number.POSITIVE_INFINITY } = settings;

/** The snapshots of a few accounts of one moment, as a request. */
class Batch {
  readonly bytes: Buffer;
  readonly #times: number[] = [];
  readonly #equities: number[] = [];
  timeMs = startMs;

  constructor(first: number) {
    const time = format === 'ndjson' ? TIME : NANOSECONDS;
    const lines = Array.from({ length: rowsPerRequest }, (_, row) => lineOf(first + row, time));
    const body = lines.join('');
    const head = `POST ${path} HTTP/1.1\r\nhost: bench\r\nauth-token: ${TOKEN}\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${body.length}\r\n\r\n`;
    this.bytes = Buffer.from(head + body);
    let offset = head.length;
    for (const line of lines) {
      this.#times.push(offset + line.indexOf(time));
      this.#equities.push(offset + line.indexOf(EQUITY));
      offset += line.length;
    }
  }

  next(): Buffer {
    this.timeMs += stepMs;
    const iso = new Date(this.timeMs).toISOString();
    const text =
      format === 'ndjson' ? `${iso.slice(0, 10)} ${iso.slice(11, 23)}` : `${this.timeMs}000000`;
    const time = Buffer.from(text);
    let change = this.timeMs / stepMs;
    for (let row = 0; row < this.#times.length; row += 1) {
      time.copy(this.bytes, this.#times[row] ?? 0);
      const equity = this.#equities[row] ?? 0;
      change = (change * 7 + row) % 1000;
      this.bytes[equity + 3] = 48 + Math.floor(change / 100);
      this.bytes[equity + 4] = 48 + (Math.floor(change / 10) % 10);
      this.bytes[equity + 5] = 48 + (change % 10);
    }
    return this.bytes;
  }
}

function lineOf(account: number, time: string): string {
  const id = accountId(account);
  return format === 'ndjson'
    ? `{"accountId":"${id}","brokerTime":"${time}","balance":100000,"equity":${EQUITY}}\n`
    : `snapshot,account=${id} balance=100000,equity=${EQUITY} ${time}\n`;
}

const idle = Array.from(
  { length: Math.floor(accounts / rowsPerRequest) },
  (_, slice) => new Batch(slice * rowsPerRequest),
);
let snapshots = 0;
let refused = 0;
let begun = 0;
let latestMs = startMs;
const began = performance.now();
const ends = began + settings.seconds * 1000;

/** How long the next request has to wait for its turn. */
function untilTurnMs(): number {
  begun += rowsPerRequest;
  return began + ((begun - rowsPerRequest) / pace) * SECOND_MS - performance.now();
}

/** Posts one batch after the other on a connection until the time is over. */
function post(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let batch: Batch | undefined;
    let answer = '';
    const leave = (): void => {
      socket.end();
      resolve();
    };
    const send = (): void => {
      batch = idle.shift();
      if (!batch || performance.now() >= ends) {
        leave();
        return;
      }
      socket.write(batch.next());
      latestMs = Math.max(latestMs, batch.timeMs);
    };
    const again = (): void => {
      if (batch) socket.write(batch.bytes);
    };
    const sendInTurn = (): void => {
      const waitMs = untilTurnMs();
      if (waitMs <= 0) send();
      else if (waitMs < ends - performance.now()) setTimeout(send, waitMs);
      // Its turn comes when the time is over.
      else leave();
    };
    socket.setNoDelay(true).on('connect', sendInTurn).on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const head = answer.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      if (answer.length < head + 4 + length) return;
      const whole = answer;
      answer = '';
      if (/^HTTP\/1.1 503/.test(whole)) {
        refused += 1;
        if (refused === 1) console.error(whole.slice(head));
        setTimeout(again, SECOND_MS * Number(/retry-after: (\d+)/i.exec(whole)?.[1] ?? 1));
        return;
      }
      if (!/^HTTP\/1.1 20/.test(whole)) return reject(new Error(whole.slice(0, 500)));
      snapshots += rowsPerRequest;
      if (batch) idle.push(batch);
      sendInTurn();
    });
  });
}

await Promise.all(
  Array.from({ length: connections }, (_, place) =>
    post(connect(ports[place % ports.length] ?? 0, '127.0.0.1')),
  ),
);
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage();
const cpuMs = (user + system) / 1000;
sendLast({ snapshots, refused, seconds, nextMs: latestMs, cpuMs } satisfies Posted);
