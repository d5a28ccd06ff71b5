import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

type Received = { headers: IncomingHttpHeaders; body: string };
type Webhook = { id: string; url: string; failedAttempts: number; lastResult?: string };

/** Collects what is posted; answers with the status that the test wants. */
class Receiver {
  readonly received: Received[] = [];
  status = 200;
  #server: Server | undefined;
  url = '';

  async start(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      this.received.push({ headers: request.headers, body });
      response.writeHead(this.status, { location: '/elsewhere' }).end();
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
  }

  async count(wanted: number): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (this.received.length < wanted && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(this.received.length >= wanted, `${this.received.length} of ${wanted} came`);
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`webhooks on ${kind}`, () => {
    let running: TestServer;
    let client: Client & { userId: string };
    let receiver: Receiver;
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'warn', PLIMSOLL_WEBHOOK_PRIVATE: 'allow' });
      client = await newUser(running.server.address);
      receiver = new Receiver();
      await receiver.start();
    });
    after(async () => {
      receiver.stop();
      await running.close();
    });

    const breach = async (days: number[]): Promise<void> => {
      const id = await newAccount(client);
      await client.post(`/users/current/accounts/${id}/trackers`, {
        name: 'daily',
        period: 'date',
        relativeDrawdownThreshold: 0.05,
      });
      const rows = days.map((day) => ({
        accountId: id,
        brokerTime: `2026-03-0${day} 10:00:00`,
        balance: 10_000,
        equity: 10_000 - day * 1000,
      }));
      const sent = await client.post('/users/current/snapshots', rows);
      assert.equal(sent.status, 200);
    };

    it('sends signed events in order, again after a failure, and not to redirects', async () => {
      const made = await client.post<{ id: string; secret: string }>('/users/current/webhooks', {
        url: receiver.url,
      });
      assert.equal(made.status, 201);
      receiver.status = 307;
      await breach([1, 2, 3]);
      await receiver.count(1);
      receiver.status = 200;
      await receiver.count(4);
      const numbers = receiver.received.map(({ headers }) => Number(headers['idempotency-key']));
      assert.equal(numbers[0], numbers[1], 'what was not taken comes again');
      assert.deepEqual(
        numbers.slice(1),
        [...numbers.slice(1)].sort((a, b) => a - b),
      );
      const [last] = receiver.received.slice(-1);
      const timestamp = String(last?.headers['plimsoll-timestamp']);
      const expected = createHmac('sha256', made.body.secret)
        .update(`${timestamp}.${last?.body}`)
        .digest('hex');
      assert.equal(last?.headers['plimsoll-signature'], `v1=${expected}`);
      const event = JSON.parse(last?.body ?? '{}') as { sequenceNumber: number };
      assert.equal(event.sequenceNumber, numbers.at(-1));
      const listed = await client.get<Webhook[]>('/users/current/webhooks');
      assert.equal(JSON.stringify(listed.body).includes(made.body.secret), false);
      const path = `/users/current/webhooks/${made.body.id}`;
      assert.deepEqual((await client.get(`${path}/dead-letters`)).body, []);
      assert.deepEqual((await client.post(`${path}/dead-letters/replay`, {})).body, {
        replayed: 0,
      });
      const stranger = await newUser(running.server.address);
      assert.equal((await stranger.call('DELETE', path)).status, 404);
      assert.equal((await client.call('DELETE', path)).status, 204);
      assert.deepEqual((await client.get('/users/current/webhooks')).body, []);
    });

    it('refuses addresses that are none and tokens of some accounts', async () => {
      for (const url of ['ftp://example.com', 'nonsense', 'https://user:pw@example.com/']) {
        const answer = await client.post('/users/current/webhooks', { url });
        assert.equal(answer.status, 400, url);
      }
      const narrow = await newUser(running.server.address, { accountIds: ['one'] });
      const made = await narrow.post('/users/current/webhooks', { url: receiver.url });
      assert.equal(made.status, 403);
    });
  });
}

describe('webhooks by default', () => {
  it('send nothing to private addresses', async () => {
    const running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
    const receiver = new Receiver();
    await receiver.start();
    const client = await newUser(running.server.address);
    await client.post('/users/current/webhooks', { url: receiver.url });
    const id = await newAccount(client);
    const tracker = { name: 'any', period: 'lifetime', absoluteDrawdownThreshold: 1 };
    await client.post(`/users/current/accounts/${id}/trackers`, tracker);
    const row = { accountId: id, brokerTime: '2026-03-01 10:00:00', balance: 100, equity: 1 };
    await client.post('/users/current/snapshots', [row]);
    const state = async () => (await client.get<Webhook[]>('/users/current/webhooks')).body[0];
    const deadline = Date.now() + 10_000;
    while ((await state())?.failedAttempts === 0 && Date.now() < deadline);
    assert.match((await state())?.lastResult ?? '', /not public/);
    assert.deepEqual(receiver.received, []);
    receiver.stop();
    await running.close();
  });
});
