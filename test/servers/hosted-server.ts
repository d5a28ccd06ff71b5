import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HostedRecord = Record<string, unknown>;
/** What a request is answered with instead of its usual answer; undefined: as usual. */
type Answer = { status?: number; headers?: Record<string, string>; text?: string } | 'never';
export type Mood = (path: string) => Answer | undefined;

export const HOSTED_TOKEN = 'token-of-a-user-there';

/** What a user has there. */
export type HostedWorld = {
  accounts: HostedRecord[];
  profiles: HostedRecord[];
  /** By account. */
  information: Record<string, HostedRecord>;
  trackers: Record<string, HostedRecord[]>;
  quotas: HostedRecord[];
  /** Numbers of the two feeds. */
  drawdownEvents: number[];
  trackerEvents: number[];
};

export type HostedServer = {
  address: string;
  /** Paths that were asked, with their queries. */
  asked: string[];
  mood: Mood;
  close(): Promise<void>;
};

/** A server with the reads of the hosted API, as its public documentation describes them. */
export async function startHostedServer(world: HostedWorld): Promise<HostedServer> {
  const server = createServer((request, response) => answer(hosted, world, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hosted: HostedServer = {
    ...{ address: `http://127.0.0.1:${port}`, asked: [], mood: () => undefined },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return hosted;
}

function answer(
  { asked, mood }: HostedServer,
  world: HostedWorld,
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
): void {
  asked.push(url.replace('/users/current/', ''));
  const other = mood(url);
  if (other === 'never') return;
  const json = { 'content-type': 'application/json' };
  if (other) {
    response.writeHead(other.status ?? 200, { ...json, ...other.headers }).end(other.text);
    return;
  }
  if (headers['auth-token'] !== HOSTED_TOKEN) {
    const body = errorOf(1, 'UnauthorizedError', 'The auth-token is invalid');
    response.writeHead(401, json).end(body);
    return;
  }
  const body = bodyOf(world, new URL(url, 'http://hosted'));
  if (body === undefined)
    response.writeHead(404, json).end(errorOf(2, 'NotFoundError', 'Account not found'));
  else response.writeHead(200, json).end(JSON.stringify(body));
}

const errorOf = (id: number, error: string, message: string): string =>
  JSON.stringify({ id, error, message });

function bodyOf(world: HostedWorld, { pathname, searchParams }: URL): unknown {
  const [word = '', id = '', rest] = pathname.replace('/users/current/', '').split('/');
  const paged = (list: readonly unknown[]): unknown[] => {
    const offset = Number(searchParams.get('offset') ?? 0);
    return list.slice(offset, offset + Number(searchParams.get('limit') ?? 1000));
  };
  const after = Number(searchParams.get('previousSequenceNumber') ?? 0);
  const eventsOf = (numbers: readonly number[]): unknown[] =>
    paged(
      numbers
        .filter((number) => number > after)
        .map((sequenceNumber) => ({ sequenceNumber, accountId: 'a', trackerId: 't' })),
    );
  if (word === 'quotas') return world.quotas;
  if (word === 'provisioning-profiles') return paged(world.profiles);
  if (word === 'accounts' && id === '') return paged(world.accounts);
  if (word === 'drawdown-events') return eventsOf(world.drawdownEvents);
  if (word === 'tracker-events') return eventsOf(world.trackerEvents);
  return rest === 'trackers' ? world.trackers[id] : world.information[id];
}
