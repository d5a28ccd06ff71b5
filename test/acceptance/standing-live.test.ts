import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import {
  type Client,
  Client as ClientOf,
  newAccount,
  newUser,
  startOn,
  startPlimsoll,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { StandingReader } from './standing-stream.ts';

needs('postgres', 'server');

const ROUND_MS = 250;
const INCIDENTS = '/users/current/incidents';
type Listed = { incidents: { id: number; version: string }[] };

/** Sends a snapshot of a minute of one morning. */
async function send(client: Client, accountId: string, minute: number, equity: number) {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  const time = [8 + hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  const row = { accountId, brokerTime: `2026-03-02 ${time}:00.000`, balance: 10_000, equity };
  const answer = await client.post('/users/current/snapshots', [row]);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

const addLimit = (client: Client, accountId: string) =>
  client.post<{ id: string }>(`/users/current/accounts/${accountId}/trackers`, {
    ...{ name: 'Limit', period: 'lifetime', relativeDrawdownThreshold: 0.1 },
  });

/** Another token of the client's user. */
async function anotherToken(client: Client, fields: Record<string, unknown>) {
  const made = await client.post<{ id: string; token: string }>('/users/current/tokens', fields);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { id: made.body.id, client: new ClientOf(client.address, made.body.token) };
}

for (const kind of testedOn()) {
  describe(`the stream of standings on ${kind}`, () => {
    let running: TestServer;
    before(async () => {
      running = await startOn(kind);
    });
    after(() => running.close());
    const newClient = () => newUser(running.server.address);

    it('tells the whole state first, then what changes', async () => {
      const client = await newClient();
      const [one, other] = [await newAccount(client), await newAccount(client, { login: '1002' })];
      const { body: tracker } = await addLimit(client, one);
      await send(client, one, 0, 10_000);
      await using stack = new AsyncDisposableStack();
      const reader = await StandingReader.whole(client);
      stack.defer(() => reader.close());
      assert.deepEqual(reader.messages[0], { kind: 'begin', reason: 'first', accounts: 2 });
      assert.deepEqual(reader.accountIds, [one, other].sort());
      assert.equal(reader.last(other, 'standing')?.state, 'waiting');
      await until(() => reader.last(one, 'standing')?.equity === 10_000, 'the standing');
      await send(client, one, 1, 9_500);
      await until(() => reader.last(one, 'standing')?.equity === 9_500, 'the change');
      const standing = reader.last(one, 'standing');
      assert.equal(standing?.state, 'live');
      assert.equal(standing?.limits[0]?.floor, 9_000);
      assert.equal(reader.last(one, 'chartItem')?.equity, 9_500);
      const [period] = reader.last(one, 'statistics') ?? [];
      assert.deepEqual([period?.trackerId, period?.maxAbsoluteDrawdown], [tracker.id, 500]);
      assert.equal(reader.last(one, 'openIncidents'), 0);
      assert.match(reader.last(one, 'receivedAt') ?? '', /^\d{4}-.*Z$/);
    });

    it('tells of an account four times a second at most, and the newest in any case', async () => {
      const client = await newClient();
      const id = await newAccount(client);
      await using stack = new AsyncDisposableStack();
      const reader = await StandingReader.whole(client);
      stack.defer(() => reader.close());
      const before = reader.of(id).length;
      const startMs = performance.now();
      for (let minute = 0; minute < 60; minute += 1) await send(client, id, minute, 9_000 + minute);
      await until(() => reader.last(id, 'standing')?.equity === 9_059, 'the newest');
      const rounds = (performance.now() - startMs) / ROUND_MS;
      const told = reader.of(id).length - before;
      assert.ok(told <= rounds + 1, `${told} messages in ${rounds} rounds`);
    });

    it('goes on from an id with what has changed since', async () => {
      const client = await newClient();
      const [one, other] = [await newAccount(client), await newAccount(client, { login: '1002' })];
      await send(client, one, 0, 10_000);
      await send(client, other, 0, 10_000);
      const first = await StandingReader.whole(client);
      const isTold = (id: string) => first.last(id, 'standing')?.equity === 10_000;
      await until(() => isTold(one) && isTold(other), 'both standings');
      await first.close();
      await send(client, other, 1, 9_900);
      await using stack = new AsyncDisposableStack();
      const second = await StandingReader.open(client, '', first.lastId);
      stack.defer(() => second.close());
      await until(() => second.last(other, 'standing')?.equity === 9_900, 'what was missed');
      assert.deepEqual([second.reason, second.accountIds], ['resumed', [other]]);
      const { lastId = '' } = first;
      assert.match(lastId, /^[\w-]+\.[\w-]+\.\d+$/);
      for (const id of ['nonsense', `${lastId}9`, lastId.replace(/^./, 'x')]) {
        const anew = await StandingReader.whole(client, '', id);
        stack.defer(() => anew.close());
        assert.equal(anew.reason, 'unknownId', id);
        assert.deepEqual(anew.accountIds, [one, other].sort());
      }
      const ofOthers = await StandingReader.whole(client, `?accountId=${one}`, first.lastId);
      stack.defer(() => ofOthers.close());
      assert.equal(ofOthers.reason, 'unknownId', 'an id is good for the same accounts');
      assert.deepEqual(ofOthers.accountIds, [one]);
    });

    it('tells a narrowed token of its accounts alone', async () => {
      const client = await newClient();
      const [own, other] = [await newAccount(client), await newAccount(client, { login: '1002' })];
      const stranger = await newAccount(await newClient());
      const { client: narrow } = await anotherToken(client, { accountIds: [own] });
      await using stack = new AsyncDisposableStack();
      const [narrowed, wide] = [
        await StandingReader.whole(narrow),
        await StandingReader.whole(client),
      ];
      stack.defer(() => narrowed.close());
      stack.defer(() => wide.close());
      await send(client, other, 0, 10_000);
      await send(client, own, 0, 10_000);
      await until(() => narrowed.last(own, 'standing')?.equity === 10_000, 'its account');
      await until(() => wide.last(other, 'standing')?.equity === 10_000, 'the other account');
      assert.deepEqual(narrowed.accountIds, [own]);
      for (const id of [other, stranger, 'none']) {
        const refused = await StandingReader.open(narrow, `?accountId=${own}&accountId=${id}`);
        assert.equal(refused.status, 404);
        await refused.close();
      }
    });

    it('tells the parts that were asked for', async () => {
      const client = await newClient();
      const id = await newAccount(client);
      await send(client, id, 0, 10_000);
      await using stack = new AsyncDisposableStack();
      const reader = await StandingReader.whole(client, '?part=incidents');
      stack.defer(() => reader.close());
      assert.deepEqual(reader.of(id), [{ kind: 'account', accountId: id, openIncidents: 0 }]);
      const wrong = await StandingReader.open(client, '?part=all');
      assert.equal(wrong.status, 400);
      await wrong.close();
    });

    it('tells of new and of deleted accounts', async () => {
      const client = await newClient();
      await newAccount(client);
      await using stack = new AsyncDisposableStack();
      const reader = await StandingReader.whole(client);
      stack.defer(() => reader.close());
      const added = await newAccount(client, { login: '1002' });
      await until(() => reader.accountIds.includes(added), 'the new account');
      await client.call('DELETE', `/users/current/accounts/${added}`);
      const isGone = () =>
        reader.messages.some((each) => each.kind === 'gone' && each.accountId === added);
      await until(isGone, 'its end');
    });

    it('shows two people what the other does to an incident', async () => {
      const client = await newClient();
      const id = await newAccount(client);
      await addLimit(client, id);
      await send(client, id, 0, 10_000);
      const { client: colleague } = await anotherToken(client, { name: 'Ben' });
      await using stack = new AsyncDisposableStack();
      const readers = [await StandingReader.whole(client), await StandingReader.whole(colleague)];
      for (const reader of readers) stack.defer(() => reader.close());
      await send(client, id, 1, 8_500);
      const all = (holds: (reader: StandingReader) => boolean, what: string) =>
        until(() => readers.every(holds), what);
      await all((reader) => reader.last(id, 'openIncidents') === 1, 'the incident');
      const [incident] = (await client.get<Listed>(INCIDENTS)).body.incidents;
      assert.ok(incident);
      const acts: [who: Client, handling: object, kind: string][] = [
        [colleague, { assignee: 'Ben' }, 'assigned'],
        [client, { note: 'A storm' }, 'noted'],
        [colleague, { acknowledged: true }, 'acknowledged'],
      ];
      for (const [who, handling, kind] of acts) {
        const handled: { status: number } = await who.call('PATCH', INCIDENTS, {
          ...{ ids: [incident.id], ...handling },
        });
        assert.equal(handled.status, 200);
        const isTold = (reader: StandingReader) =>
          reader.last(id, 'incidents')?.at(-1)?.entry?.kind === kind;
        await all(isTold, kind);
      }
      const [told] = readers[0]?.last(id, 'incidents') ?? [];
      assert.deepEqual(
        [told?.id, told?.assignee, told?.acknowledged, told?.entryCount],
        [incident.id, 'Ben', true, 3],
      );
      await all((reader) => reader.last(id, 'openIncidents') === 0, 'that none is open');
      // It came by itself: comments, which wake streams too, come every 15 seconds.
      for (const { text } of readers) assert.ok(!text.includes('heartbeat'), text);
    });

    it('ends with its token, before the next comment', async () => {
      const client = await newClient();
      await newAccount(client);
      const { id, client: ending } = await anotherToken(client, {});
      await using stack = new AsyncDisposableStack();
      const [reader, other] = [
        await StandingReader.whole(ending),
        await StandingReader.whole(client),
      ];
      stack.defer(() => reader.close());
      stack.defer(() => other.close());
      assert.equal((await client.call('DELETE', `/users/current/tokens/${id}`)).status, 204);
      await until(() => reader.isOver, 'the end of the stream');
      assert.match(reader.text, /event: closed\ndata: {"reason":"token-ended"}\n\n$/);
      assert.ok(!reader.text.includes('heartbeat'), reader.text);
      assert.equal(other.isOver, false);
    });
  });
}

describe('the stream of standings of two processes', () => {
  it('goes on when the process that folds is killed', async () => {
    const database = await openTestDatabase('postgres');
    await using stack = new AsyncDisposableStack();
    stack.defer(() => database.close());
    const folding = await startPlimsoll(database.environment);
    stack.defer(() => folding.kill());
    const client = await newUser(folding.address);
    const id = await newAccount(client);
    await addLimit(client, id);
    await send(client, id, 0, 10_000);
    // It answers requests, and does not fold yet.
    const answering = await startPlimsoll({ ...database.environment, PLIMSOLL_ROLES: 'api' });
    stack.defer(async () => void (await answering.stop()));
    const there = new ClientOf(answering.address, client.token);
    const reader = await StandingReader.whole(there);
    stack.defer(() => reader.close());
    await send(client, id, 1, 9_900);
    await until(() => reader.last(id, 'standing')?.equity === 9_900, 'a change folded elsewhere');
    const next = await startPlimsoll(database.environment);
    stack.defer(async () => void (await next.stop()));
    await folding.kill();
    await send(there, id, 2, 8_800);
    await until(() => reader.last(id, 'standing')?.equity === 8_800, 'a change after the kill');
    await until(() => reader.last(id, 'openIncidents') === 1, 'its incident');
    // The id of another process is not known here: all is told anew.
    const moved = await StandingReader.whole(
      new ClientOf(next.address, client.token),
      '',
      reader.lastId,
    );
    stack.defer(() => moved.close());
    assert.equal(moved.reason, 'unknownId');
    assert.equal(moved.last(id, 'standing')?.equity, 8_800);
    await send(there, id, 3, 8_700);
    await until(() => moved.last(id, 'standing')?.equity === 8_700, 'a change folded here');
    await until(() => reader.last(id, 'standing')?.equity === 8_700, 'and its news elsewhere');
  });
});
