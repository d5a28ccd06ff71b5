import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('server');

const PATH = '/users/current/tokens';
type Made = { id: string; token: string };

describe('own tokens', () => {
  let running: TestServer;
  const address = (): string => running.server.address;
  before(async () => {
    running = await startOn('sqlite');
  });
  after(() => running.close());

  it('are listed without secrets, created and revoked', async () => {
    const user = await newUser(address());
    const made = await user.post<Made>(PATH, { name: 'screen', scopes: ['read'] });
    assert.equal(made.status, 201);
    const listed = await user.get<{ id: string; name?: string }[]>(PATH);
    assert.deepEqual(listed.body.map(({ name }) => name).includes('screen'), true);
    assert.equal(JSON.stringify(listed.body).includes(made.body.token), false);
    const client = new Client(address(), made.body.token);
    assert.equal((await client.get('/users/current/accounts')).status, 200);
    assert.equal((await user.call('DELETE', `${PATH}/${made.body.id}`)).status, 204);
    assert.equal((await client.get('/users/current/accounts')).status, 401);
  });

  it('have no more rights than the token that creates them, and end no later', async () => {
    const user = await newUser(address(), { scopes: ['read', 'write'], expiresInDays: 10 });
    const more = await user.post<{ message: string }>(PATH, { scopes: ['read', 'ingest'] });
    assert.equal(more.status, 403);
    assert.match(more.body.message, /ingest/);
    assert.equal((await user.post(PATH, { scopes: ['admin'] })).status, 403);
    const later = await user.post<{ details: unknown[] }>(PATH, { expiresInDays: 11 });
    assert.equal(later.status, 400);
    assert.deepEqual(later.body.details, [
      { parameter: 'expiresInDays', message: 'must not exceed the lifetime of your own token' },
    ]);
    const plain = await user.post<Made>(PATH, {});
    const known = await new Client(address(), plain.body.token).get<{
      scopes: string[];
      expiresAt?: string;
    }>('/users/current/token');
    assert.deepEqual(known.body.scopes, ['read', 'write']);
    assert.ok(known.body.expiresAt);
  });

  it('are named in the audit by their actions', async () => {
    const user = await newUser(address());
    const { id, token } = (await user.post<Made>(PATH, { name: 'desk' })).body;
    const accountId = await newAccount(new Client(address(), token));
    const operator = new Client(address(), ADMIN_TOKEN);
    type Entry = { action: string; actor: string; tokenId?: string };
    const { body } = await operator.get<Entry[]>(`/admin/audit?accountId=${accountId}`);
    assert.deepEqual(
      body.map(({ action, actor, tokenId }) => [action, actor, tokenId]),
      [['account.created', `user:${user.userId}`, id]],
    );
  });

  it('of others are not found, and a read-only token creates none', async () => {
    const [user, other] = [await newUser(address()), await newUser(address())];
    const made = await other.post<Made>(PATH, {});
    assert.equal((await user.call('DELETE', `${PATH}/${made.body.id}`)).status, 404);
    const reader = await newUser(address(), { scopes: ['read'] });
    assert.equal((await reader.post(PATH, {})).status, 403);
    assert.equal((await new Client(address(), undefined).get(PATH)).status, 401);
  });

  it('are not available to a token of some accounts', async () => {
    const user = await newUser(address());
    const accountIds = [await newAccount(user)];
    const { token } = (await user.post<Made>(PATH, { accountIds })).body;
    const limited = new Client(address(), token);
    assert.equal((await limited.get('/users/current/accounts')).status, 200);
    assert.equal((await limited.get(PATH)).status, 403);
    assert.equal((await limited.post(PATH, {})).status, 403);
  });
});
