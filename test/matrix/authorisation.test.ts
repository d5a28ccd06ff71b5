import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openApiDocument } from '../../src/contract/openapi/document.ts';
import { ROLES, type Role } from '../../src/words/roles.ts';
import { needs, often } from '../needs.ts';
import { sessionOf } from '../servers/browser-session.ts';
import { Client, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';
import {
  type HidingOperation,
  hasFixture,
  type Operation,
  OWNED,
  parametersOf,
  pathOf,
  ROWS,
} from './operations.ts';
import { createWorld, snapshot, type World } from './world.ts';

needs('postgres', 'server');

type ErrorBody = { error: string; message: string };
type Answer = { status: number; body: ErrorBody };
/** Written by hand, as the rows. */
const SCOPES_OF: Record<Role, readonly string[]> = {
  viewer: ['read'],
  trader: ['read'],
  risk: ['read', 'write'],
  backOffice: ['read', 'write', 'ingest'],
  owner: ['read', 'write', 'ingest'],
};
const SCOPES = ['read', 'write', 'ingest', 'admin'] as const;

/** Streams, and accounts of simulated platforms, which trade. */
const MOVES = /\/live$|\/p[45]\//;
/** These tests make tokens of the owner's; the rest tells of deliveries and connections. */
const CHANGES = new Set([
  ...['listOwnTokens', 'readStorage', 'readCurrentToken', 'listWebhooks', 'listDeadLetters'],
  ...['listProvisioningProfiles', 'readProvisioningProfile', 'readAccountStanding'],
  // A token of some accounts may write to one of them, and does.
  ...['readAccountsOverview', 'readAccountTotals', 'listAccounts', 'readAccount'],
  ...['listAccountLabels', 'listSessions'],
]);

/** No operations: browsers go there and come back, and the provider tells of ended sessions. */
const PROVIDER_PATHS = {
  pages: ['/session/provider', '/session/provider/end'],
  callback: '/session/provider/callback?code=x&state=x',
  logout: '/session/provider/logout',
};
/** Asked by nobody here: each of these is answered without it. */
const PROVIDER = {
  ...{ PLIMSOLL_PUBLIC_URL: 'https://desk.example.com', PLIMSOLL_OIDC_CLIENT_ID: 'plimsoll' },
  ...{ PLIMSOLL_OIDC_ISSUER: 'http://127.0.0.1:1', PLIMSOLL_OIDC_CLIENT_SECRET: 'x'.repeat(32) },
  PLIMSOLL_OIDC_USER: 'nobody@example.com',
};

/** The rules are in code that both databases share. */
const KINDS = (['postgres', 'sqlite'] as const).slice(0, often(1, 2));

for (const kind of KINDS) {
  describe(`who may do what on ${kind}`, () => {
    let running: TestServer;
    let world: World;
    let operations: HidingOperation[];
    before(async () => {
      running = await startOn(kind, { LOG_LEVEL: 'silent', ...PROVIDER });
      operations = readOperations();
      world = await createWorld(running.server.address);
      await until(isSealed, 'a seal of the breach');
      const [first, second] = [await stateOf(world.owner), await stateOf(world.owner)];
      for (const [id, answer] of first) if (second.get(id) === answer) untouched.set(id, answer);
    });
    after(() => running.close());

    /** Whether the server has done what it does on its own after the world was made. */
    const isSealed = async (): Promise<boolean> => {
      const path = '/users/current/tracker-events/seals';
      const { body } = await world.owner.get<{ seals: string[] }>(path);
      return body.seals.length > 0;
    };

    /** The owner's readable data that stay the same without actions, by operation. */
    const untouched = new Map<string, string>();
    /**
     * All of the owner's readable data, except values that change on their own or by these tests.
     */
    const stateOf = async (client: Client): Promise<Map<string, string>> => {
      const state = new Map<string, string>();
      for (const operation of operations) {
        const { id, method, path } = operation;
        const isRead = method === 'GET' && scopeOf(operation) === 'read';
        if (!isRead || MOVES.test(path) || CHANGES.has(id)) continue;
        state.set(id, await textOf(operation, client));
      }
      return state;
    };

    const textOf = async (operation: Operation, { address, token, headers }: Client) => {
      const response = await fetch(address + pathOf(operation, world), {
        headers: { ...headers, ...(token === undefined ? {} : { 'auth-token': token }) },
      });
      // The age of open positions grows on its own.
      const text = (await response.text()).replace(/"durationInMinutes":\d+/g, '');
      return `${response.status} ${text}`;
    };

    /** Calls the operation for the owner's things, those in `others` replaced. */
    const call = async (
      operation: Operation,
      client: Client,
      others: Record<string, string> = {},
    ): Promise<Answer> => {
      const body = ROWS[operation.id]?.body?.(world);
      const raw = body instanceof Uint8Array;
      const gone = new AbortController();
      const response = await fetch(client.address + pathOf(operation, world, others), {
        method: operation.method,
        signal: gone.signal,
        headers: {
          ...(client.token === undefined ? {} : { 'auth-token': client.token }),
          ...client.headers,
          ...(body ? { 'content-type': raw ? 'text/html' : 'application/json' } : {}),
          ...ROWS[operation.id]?.headers,
        },
        ...(body ? { body: raw ? new Uint8Array(body) : JSON.stringify(body) } : {}),
      });
      const { status } = response;
      const isError = status >= 400;
      const answer = { status, body: (isError ? await response.json() : {}) as ErrorBody };
      gone.abort();
      return answer;
    };
    /** Runs over all operations and names all that fail, not only the first. */
    const expect = async (
      wanted: (operation: HidingOperation) => number | undefined,
      client: Client,
      others?: Record<string, string>,
    ): Promise<void> => {
      const wrong: string[] = [];
      let looked = 0;
      for (const operation of operations) {
        const status = wanted(operation);
        if (status === undefined) continue;
        looked += 1;
        const answer = await call(operation, client, others);
        if (answer.status !== status) {
          wrong.push(`${operation.id}: ${answer.status} ${answer.body.message} (not ${status})`);
        }
      }
      assert.deepEqual(wrong, []);
      assert.ok(looked > 0, 'an operation was looked at');
    };
    const scopeOf = (operation: Operation) => ROWS[operation.id]?.scope;
    const owns = ({ path }: Operation): boolean =>
      path.startsWith('/users/current') &&
      parametersOf(path).some((parameter) => OWNED.some((owned) => owned === parameter));

    it('has a row for every operation, a fixture for every parameter, and none too many', () => {
      assert.ok(operations.length > 50);
      assert.deepEqual(operations.map(({ id }) => id).sort(), Object.keys(ROWS).sort());
      const unknown = operations
        .flatMap(({ path }) => parametersOf(path))
        .filter((parameter) => !hasFixture(parameter));
      assert.deepEqual(unknown, []);
    });

    it('opens nothing but health checks, the public key and signing in to those without a token', async () => {
      const open = operations.filter(({ isPublic }) => isPublic).map(({ path }) => path);
      const signingIn = ['/session', '/session', '/session/preview'];
      const expected = ['/evidence-key', '/health/live', '/health/ready', ...signingIn];
      assert.deepEqual(open.sort(), expected);
      await expect(
        (operation) => (scopeOf(operation) === 'public' ? (ROWS[operation.id]?.opens ?? 200) : 401),
        new Client(world.address, undefined),
      );
    });

    it('answers 401 to malformed, unknown, expired and revoked tokens', async () => {
      const { owner, tokenOf } = world;
      const expired = await tokenOf(owner.userId, { expiresInDays: 1e-9 });
      const revoked = await tokenOf(owner.userId, { scopes: SCOPES });
      const deleted = await world.operator.call('DELETE', `/admin/tokens/${revoked.id}`);
      assert.equal(deleted.status, 204);
      const tokens = [
        'x',
        `Bearer ${owner.token}`,
        `${owner.token}x`,
        owner.token?.toLowerCase(),
        'a'.repeat(5000),
        `plm_${'A'.repeat(43)}`,
        expired.token,
        revoked.token,
        revoked.id,
        owner.userId,
      ];
      for (const token of tokens) {
        const client = new Client(world.address, token);
        await expect((operation) => (scopeOf(operation) === 'public' ? undefined : 401), client);
      }
    });

    it('answers 401 to an ended session, and to secrets in the wrong place', async () => {
      const { owner, address } = world;
      const session = await sessionOf(await world.tokenOf(owner.userId, { scopes: SCOPES }));
      const secret = session.headers.cookie?.split('=')[1] ?? '';
      const { body } = await session.post<{ code: string }>('/users/current/sign-in-codes');
      const [name = ''] = session.headers.cookie?.split('=') ?? [];
      const inCookie = (value: string) =>
        new Client(address, undefined, { ...session.headers, cookie: `${name}=${value}` });
      const wrong = [
        new Client(address, secret),
        new Client(address, body.code),
        ...[owner.token ?? '', body.code, `${secret}x`, ''].map(inCookie),
      ];
      assert.equal((await session.call('DELETE', '/users/current/sessions/current')).status, 204);
      for (const client of [...wrong, session])
        await expect((operation) => (scopeOf(operation) === 'public' ? undefined : 401), client);
    });

    it('answers 403 to a session that a page of another server uses', async () => {
      const session = await sessionOf(world.owner);
      const { cookie = '' } = session.headers;
      const others = [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }];
      for (const headers of others) {
        const client = new Client(world.address, undefined, { cookie, ...headers });
        const wanted = ({ method, ...operation }: HidingOperation) => {
          const isRefused = method !== 'GET' || 'sec-fetch-site' in headers;
          return isRefused && scopeOf({ method, ...operation }) !== 'public' ? 403 : undefined;
        };
        await expect(wanted, client);
      }
    });

    for (const missing of SCOPES) {
      it(`answers 403 to a token of all scopes but ${missing}`, async () => {
        const scopes = SCOPES.filter((scope) => scope !== missing);
        const client = await world.tokenOf(world.owner.userId, { scopes });
        const wanted = (operation: Operation) => (scopeOf(operation) === missing ? 403 : undefined);
        await expect(wanted, client);
        // A session has the rights of its token.
        if (missing !== 'read') await expect(wanted, await sessionOf(client));
      });
    }

    it("hides everyone's things from another user, as if they did not exist", async () => {
      const { stranger } = world;
      for (const client of [stranger, await sessionOf(stranger)])
        await expect((operation) => (owns(operation) ? operation.hides : undefined), client);
      for (const operation of operations.filter(owns)) {
        const nobodys = Object.fromEntries(OWNED.map((parameter) => [parameter, '999999']));
        const there = await call(operation, stranger);
        const missing = await call(operation, stranger, nobodys);
        assert.equal(missing.status, operation.hides, operation.id);
        assert.equal(there.body.message, missing.body.message, operation.id);
      }
    });

    it('reaches no tracker through an account of another', async () => {
      const isTracker = ({ path }: Operation): boolean => path.includes('trackers/{id}');
      const wanted = (operation: Operation) => (isTracker(operation) ? 404 : undefined);
      const own = { 'accounts/{accountId}': world.strangersAccountId };
      await expect(wanted, world.stranger, own);
      await expect(wanted, world.owner, { 'trackers/{id}': world.trackerOfOtherAccount });
    });

    it('keeps a token of some accounts from all others, and from everything besides accounts', async () => {
      const reached = world.otherAccountId;
      const accountIds = ['0', world.strangersAccountId, reached];
      const client = await world.tokenOf(world.owner.userId, { scopes: SCOPES, accountIds });
      const isOthers = ({ path }: Operation): boolean =>
        ['{accountId}', '{sequenceNumber}', 'incidents/{id}'].some((one) => path.includes(one));
      const wanted = (operation: Operation): number | undefined => {
        if (scopeOf(operation) === 'admin') return 403;
        return ROWS[operation.id]?.byAccountToken ?? (isOthers(operation) ? 404 : 200);
      };
      await expect((operation) => wanted(operation), client);
      // Ids that lead nowhere take no place on a page.
      const accounts = await client.get<{ id: string }[]>('/users/current/accounts?limit=1');
      assert.deepEqual(
        accounts.body.map(({ id }) => id),
        [reached],
      );
      const overview = await client.get('/users/current/accounts-overview');
      assert.ok(!JSON.stringify(overview.body).includes(world.accountId));
      assert.deepEqual((await client.get('/users/current/account-views')).body, []);
      for (const feed of ['drawdown-events/stream?wait=0', 'tracker-events/stream?wait=0']) {
        assert.deepEqual((await client.get(`/users/current/${feed}`)).body, []);
      }
      const byTime = await client.get('/users/current/tracker-events/by-broker-time');
      assert.deepEqual(byTime.body, []);
      const rows = [snapshot(world.accountId, 3, 9_999)];
      const sent = await client.post('/users/current/snapshots', rows);
      assert.equal(sent.status, 404);
    });

    it("shows a stranger nothing of the owner's in lists, feeds and bodies", async () => {
      const { stranger, accountId, trackerId, profiles } = world;
      const queries = ['', `&accountId=${accountId}`, `&trackerId=${trackerId}`];
      for (const query of queries) {
        for (const path of ['drawdown-events/stream', 'tracker-events/stream']) {
          const events = await stranger.get(`/users/current/${path}?wait=0${query}`);
          assert.deepEqual([events.status, events.body], [200, []]);
        }
        const byTime = `/users/current/tracker-events/by-broker-time?limit=10${query}`;
        assert.deepEqual((await stranger.get(byTime)).body, []);
      }
      const lists = ['accounts', 'accounts-overview', 'provisioning-profiles', 'webhooks'];
      for (const path of lists) {
        const text = JSON.stringify((await stranger.get(`/users/current/${path}`)).body);
        for (const id of [accountId, profiles.p4, world.webhookId]) assert.ok(!text.includes(id));
      }
      const sent = await stranger.post<ErrorBody>('/users/current/snapshots', [
        snapshot(accountId, 3, 1),
      ]);
      const unknown = await stranger.post<ErrorBody>('/users/current/snapshots', [
        snapshot('none', 3, 1),
      ]);
      assert.deepEqual([sent.status, unknown.status], [404, 404]);
      assert.equal(sent.body.message.replace(accountId, 'none'), unknown.body.message);
      const bound = await stranger.call(
        'PATCH',
        `/users/current/accounts/${world.strangersAccountId}`,
        {
          profileId: profiles.p5,
        },
      );
      assert.equal(bound.status, 400);
    });

    it('gives each role its scopes, and people to owners only', async () => {
      const { people } = world;
      const ofPeople = /Person|People/;
      for (const role of ROLES) {
        const scopes: readonly string[] = SCOPES_OF[role];
        const wanted = (operation: Operation): number | undefined => {
          const scope = scopeOf(operation);
          if (scope === undefined || scope === 'public') return undefined;
          const isTheirs = role === 'owner' || !ofPeople.test(operation.id);
          return scopes.includes(scope) && isTheirs ? undefined : 403;
        };
        await expect(wanted, people[role]);
      }
    });

    it('keeps a trader from all accounts but the given one', async () => {
      const { trader } = world.people;
      const isOthers = ({ path }: Operation): boolean => path.includes('{accountId}');
      const wanted = (operation: Operation): number | undefined => {
        if (scopeOf(operation) !== 'read') return undefined;
        return ROWS[operation.id]?.byAccountToken ?? (isOthers(operation) ? 404 : undefined);
      };
      const isTold = (operation: Operation): boolean =>
        !['endSessions', 'createSignInCode'].includes(operation.id);
      await expect((operation) => (isTold(operation) ? wanted(operation) : undefined), trader);
      const accounts = await trader.get<{ id: string }[]>('/users/current/accounts');
      assert.deepEqual(
        accounts.body.map(({ id }) => id),
        [world.otherAccountId],
      );
      // Nor does anything else that he may read name another.
      const told: string[] = [];
      for (const operation of operations) {
        const isAsked = scopeOf(operation) === 'read' && operation.method === 'GET';
        if (!isAsked || isOthers(operation) || operation.path.endsWith('/live')) continue;
        if ((await textOf(operation, trader)).includes(world.accountId)) told.push(operation.id);
      }
      assert.deepEqual(told, []);
    });

    it('opens the way to the OpenID provider to pages of this server only', async () => {
      const site = { 'sec-fetch-site': 'cross-site' };
      const ask = (path: string, method = 'GET', headers: Record<string, string> = site) =>
        fetch(world.address + path, { method, headers, redirect: 'manual' });
      const session = await sessionOf(world.owner);
      const { cookie = '' } = session.headers;
      for (const headers of [site, { ...site, cookie }]) {
        // Pages of other servers begin and end nothing; nobody comes back who did not go.
        for (const path of PROVIDER_PATHS.pages)
          assert.equal((await ask(path, 'GET', headers)).status, 403, path);
        const back = await ask(PROVIDER_PATHS.callback, 'GET', headers);
        assert.deepEqual([back.status, back.headers.get('location')], [303, '/#refused=state']);
        const told = await ask(PROVIDER_PATHS.logout, 'POST', headers);
        assert.equal(told.status, 400);
      }
      assert.equal((await session.get('/users/current/accounts')).status, 200);
    });

    it("lets the operator's own token administer, and own nothing", async () => {
      const sessions = ['createSignInCode', 'listSessions', 'endSession', 'endSessions'];
      const mayCall = ['readCurrentToken', 'listRegions', ...sessions];
      const isUsers = (operation: Operation): boolean =>
        operation.path.startsWith('/users/current') && !mayCall.includes(operation.id);
      await expect((operation) => (isUsers(operation) ? 403 : undefined), world.operator);
    });

    it("has left the owner's state unchanged, whoever tried what", async () => {
      const now = await stateOf(world.owner);
      const changed = [...untouched].filter(([id, answer]) => now.get(id) !== answer);
      assert.deepEqual(
        changed.map(([id, answer]) => ({ id, before: answer, after: now.get(id) })),
        [],
      );
      assert.ok(untouched.size > 30, `${untouched.size} operations stay the same`);
    });

    it('serves every operation to the owner', async () => {
      // Changes come after reads, and deletions last, the longest paths first.
      const order = ({ method, path }: Operation): number => {
        if (method === 'DELETE') return 1000 - path.length;
        return ['PUT', 'PATCH'].includes(method) ? 1 : 0;
      };
      operations.sort((a, b) => order(a) - order(b));
      const wrong: string[] = [];
      for (const operation of operations) {
        const { status, body } = await call(operation, world.owner);
        // The mail may not be sent yet: then the owner is told so.
        const isEarly = operation.id === 'resendMail' && status === 409;
        if (status >= 300 && !isEarly)
          wrong.push(`${operation.id}: ${status} ${JSON.stringify(body)}`);
      }
      assert.deepEqual(wrong, []);
    });
  });
}

/** All that are described, those for old clients included. */
const readOperations = (): HidingOperation[] =>
  Object.entries(openApiDocument({ version: '', publicUrl: '', addresses: {} }).paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security, responses }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        isPublic: security?.length === 0,
        hides: '404' in responses ? 404 : 400,
      })),
  );
