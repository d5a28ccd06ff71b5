import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { needs, testedOn } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Received = { headers: IncomingHttpHeaders; body: string };
type Numbered = { sequenceNumber: number };
type Webhook = { id: string; url: string; failedAttempts: number; lastResult?: string };

/** The message as read by the convention's own library. Throws if it is not genuine. */
const verify = (secret: string, received: Received | undefined): unknown =>
  new Verifier(secret).verify(received?.body ?? '', received?.headers as Record<string, string>);

/** Collects posts; answers with the test's status. */
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

  count(wanted: number): Promise<void> {
    return until(() => this.received.length >= wanted, `${wanted} posts`);
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

for (const kind of testedOn()) {
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
      const numbers = receiver.received.map(({ headers }) => Number(headers['webhook-id']));
      assert.equal(numbers[0], numbers[1], 'what was not taken comes again');
      assert.deepEqual(
        numbers.slice(1),
        [...numbers.slice(1)].sort((a, b) => a - b),
      );
      const [last] = receiver.received.slice(-1);
      const verified = verify(made.body.secret, last) as { type: string; data: Numbered };
      assert.equal(verified.type, 'tracker.drawdown');
      assert.equal(verified.data.sequenceNumber, numbers.at(-1));
      assert.throws(() => verify(made.body.secret, last && { ...last, body: `${last.body} ` }));
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

    it('sends a signed test at once, to no one else’s webhook, and returns the outcome', async () => {
      const tested = new Receiver();
      await tested.start();
      const { body } = await client.post<{ id: string; secret: string }>(
        '/users/current/webhooks',
        {
          url: tested.url,
        },
      );
      const path = `/users/current/webhooks/${body.id}/test`;
      assert.deepEqual((await client.post(path)).body, { delivered: true, result: 'answered 200' });
      const [received] = tested.received;
      assert.match(String(received?.headers['webhook-id']), /^test-/);
      assert.deepEqual(verify(body.secret, received), {
        type: 'webhook.test',
        data: { webhookId: body.id },
      });
      tested.status = 500;
      assert.deepEqual((await client.post(path)).body, {
        delivered: false,
        result: 'answered 500',
      });
      const stranger = await newUser(running.server.address);
      assert.equal((await stranger.post(path)).status, 404);
      tested.stop();
      await client.call('DELETE', `/users/current/webhooks/${body.id}`);
    });

    it('refuses invalid addresses and tokens of some accounts', async () => {
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
  it('are not made for private addresses, however these are written', async (t) => {
    const running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
    t.after(() => running.close());
    const client = await newUser(running.server.address);
    for (const host of [
      '127.0.0.1:9',
      'localhost',
      '10.1.2.3',
      '[::1]',
      '[::ffff:7f00:1]',
      '0x7f.1',
    ]) {
      const url = `http://${host}/hook`;
      const { status, body } = await client.post('/users/current/webhooks', { url });
      assert.equal(status, 400, host);
      assert.match(JSON.stringify(body), /"url".*must be a public address/, host);
    }
    assert.deepEqual((await client.get('/users/current/webhooks')).body, []);
  });
});
