import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  type PlimsollProcess,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { metricsOf } from '../servers/server-metrics.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

const MAY_ACT = { scopes: ['read', 'write', 'ingest', 'actions'] };

type Readiness = { status: string; quietJobs: boolean };
type Waiting = { mails: [string, number][]; actions: [string, number][]; posts: number };

for (const kind of testedOn()) {
  describe(`a server with quiet jobs on ${kind}`, () => {
    let database: TestDatabase;
    let plimsoll: PlimsollProcess;
    let receiver: Server;
    let posts = 0;
    before(async () => {
      database = await openTestDatabase(kind);
      receiver = createServer((_request, response) => {
        posts += 1;
        response.end();
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
    });
    after(async () => {
      await plimsoll.stop();
      receiver.close();
      receiver.closeAllConnections();
      await database.close();
    });

    const start = async (...options: string[]): Promise<void> => {
      const settings = { ...database.environment, PLIMSOLL_WEBHOOK_PRIVATE: 'allow' };
      plimsoll = await startPlimsoll(settings, options);
    };
    const readiness = async (): Promise<Readiness> =>
      (await fetch(`${plimsoll.address}/health/ready`)).json() as Promise<Readiness>;
    const waiting = async ({ token }: Client): Promise<Waiting> => {
      const user = new Client(plimsoll.address, token);
      const operator = new Client(plimsoll.address, ADMIN_TOKEN);
      const mails = await operator.get<{ state: string; attempts: number }[]>('/admin/mail');
      const path = '/users/current/breach-actions';
      const actions = await user.get<{ state: string; attempts: number }[]>(path);
      const stateOf = (each: { state: string; attempts: number }): [string, number] => [
        each.state,
        each.attempts,
      ];
      return { mails: mails.body.map(stateOf), actions: actions.body.map(stateOf), posts };
    };
    /** An account whose breach is answered with an action and told to a webhook, and a mail. */
    const breach = async (user: Client): Promise<void> => {
      const { port } = receiver.address() as { port: number };
      const made = async (path: string, body: object): Promise<string> => {
        const answer = await user.post<{ id: string }>(`/users/current/${path}`, body);
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        return answer.body.id;
      };
      await made('webhooks', { url: `http://127.0.0.1:${port}/hook` });
      const profileId = await made('provisioning-profiles', {
        ...{
          name: 'p5',
          platform: 'p5',
          kind: 'simulated',
          allowedActions: ['actAtBreach', 'disableTrading'],
        },
      });
      const accountId = await newAccount(user, { login: '200001', profileId });
      await made(`accounts/${accountId}/trackers`, {
        ...{ name: 'loss', period: 'day', relativeDrawdownThreshold: 0.05 },
        actions: [{ action: 'disableTrading', confirm: 'none' }],
      });
      const nowMs = Date.now();
      const rows = [10_000, 9000].map((equity, index) => ({
        ...{ accountId, balance: 10_000, equity },
        brokerTime: new Date(nowMs + index * 1000).toISOString().slice(0, 19).replace('T', ' '),
      }));
      assert.equal((await user.post('/users/current/snapshots', rows)).status, 200);
      const region = '/users/current/regions/main/quotas';
      const asked = await user.call<{ id: string }>('PATCH', region, { maxAccounts: 200_000 });
      const operator = new Client(plimsoll.address, ADMIN_TOKEN);
      const decision = `/admin/quota-requests/${asked.body.id}/decision`;
      assert.equal((await operator.post(decision, { decision: 'decline' })).status, 204);
    };

    it('says so, and lets mails, webhooks and actions wait until started without', async () => {
      await start('--quiet-jobs');
      assert.deepEqual((await readiness()).quietJobs, true);
      const metrics = await metricsOf(plimsoll.address);
      assert.match(metrics, /^plimsoll_quiet_jobs 1$/m);
      await until(() => plimsoll.log().includes('PLIMSOLL_QUIET_JOBS is on'), 'a line in the log');
      const user = await newUser(plimsoll.address, MAY_ACT);
      await breach(user);
      const seals = '/users/current/tracker-events/seals';
      // Jobs without outward effects are done: an event is sealed after it was sent.
      const isSealed = async () =>
        (await user.get<{ seals: unknown[] }>(seals)).body.seals.length > 0;
      await until(isSealed, 'a seal');
      const held: Waiting = { mails: [['queued', 0]], actions: [['waiting', 0]], posts: 0 };
      assert.deepEqual(await waiting(user), held);
      await plimsoll.stop();
      assert.equal(posts, 0);
      await start();
      assert.equal((await readiness()).quietJobs, false);
      await until(async () => {
        const now = await waiting(user);
        return now.mails[0]?.[0] === 'logged' && now.actions[0]?.[0] === 'done' && now.posts > 0;
      }, 'mail, webhook and action');
    });
  });
}
