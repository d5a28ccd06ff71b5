import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/servers/test-databases.ts';
import { type Gateway, PlatformError } from '../../platforms/gateway.ts';
import { findProfile, insertProfile, type Profile } from '../../storage/profile-store.ts';
import { insertUser } from '../../storage/user-store.ts';
import type { Context } from '../context.ts';
import { GatewayRegistry, type GatewayRequest } from './gateway-registry.ts';
import { SecretBox } from './secret-box.ts';

let files: TestDatabase;
const clock = { nowMs: 1_750_000_000_000 };
const box = new SecretBox(randomBytes(32));
let context: Context;

before(async () => {
  files = await openTestDatabase('sqlite');
  context = await testContext(files.database, { now: () => clock.nowMs });
  const user = { id: 'user', email: 'a@b.c', name: null, createdAtMs: 0 };
  await files.database.transaction((tx) => insertUser(tx, user));
});
after(() => files.close());

async function newProfile(password = 'secret'): Promise<Profile> {
  const id = crypto.randomUUID();
  const sealed = box.seal(password, id);
  const profile: Profile = {
    ...{ id, userId: 'user', name: 'x', platform: 'p5', kind: 'p5-web-api' },
    ...{ server: 'https://x', login: '1', tlsFingerprint: null, tlsCa: null },
    ...{ secret: sealed.bytes, secretKeyId: sealed.keyId, createdAtMs: 0 },
    brokerClock: { zone: 'UTC', shiftHours: 0 },
    ...{ lastSuccessMs: null, lastErrorMs: null, lastError: null },
  };
  await files.database.transaction((tx) => insertProfile(tx, profile));
  return profile;
}

const unused = (): Promise<never> => Promise.reject(new Error('not part of these tests'));
type Fake = Gateway & { closed: number };
function fakes(check: () => Promise<{ brokerTimeMs: number }>): {
  registry: GatewayRegistry;
  opened: GatewayRequest[];
  made: Fake[];
} {
  const opened: GatewayRequest[] = [];
  const made: Fake[] = [];
  const registry = new GatewayRegistry(
    context,
    (request) => {
      opened.push(request);
      const gateway: Fake = {
        platform: 'p5',
        closed: 0,
        check,
        symbols: unused,
        user: unused,
        usersOfGroup: unused,
        accountInformation: unused,
        createUser: unused,
        deals: unused,
        positions: unused,
        market: unused,
        close: async () => {
          gateway.closed += 1;
        },
      };
      made.push(gateway);
      return gateway;
    },
    box,
  );
  return { registry, opened, made };
}
const check = (gateway: Gateway): Promise<unknown> => gateway.check();
const refuse = (code: PlatformError['code']) => async (): Promise<never> => {
  throw new PlatformError(code, 'it is so', { retryAfterSeconds: 7 });
};

test('a gateway is opened once, with the opened password, when it is first needed', async () => {
  const { registry, opened } = fakes(async () => ({ brokerTimeMs: 1 }));
  const profile = await newProfile('Password1');
  assert.equal(opened.length, 0);
  await Promise.all([registry.use(profile, check), registry.use(profile, check)]);
  assert.deepEqual(
    opened.map(({ password }) => password),
    ['Password1'],
  );
});

test('a platform that is down is let alone after five failures; others are served', async () => {
  let calls = 0;
  const { registry } = fakes(async () => {
    calls += 1;
    return refuse('unavailable')();
  });
  const dead = await newProfile();
  for (let time = 0; time < 20; time += 1)
    await assert.rejects(registry.use(dead, check), { code: 'unavailable' });
  assert.equal(calls, 5);
  const alive = await newProfile();
  assert.equal(await registry.use(alive, async () => 'served'), 'served');
  clock.nowMs += 1000;
  await assert.rejects(registry.use(dead, check), { code: 'unavailable' });
  assert.equal(calls, 6);
});

test('the record of a profile tells its last success and its last error', async () => {
  let fails = false;
  const { registry } = fakes(async () =>
    fails ? refuse('denied')() : Promise.resolve({ brokerTimeMs: 1 }),
  );
  const profile = await newProfile();
  await registry.use(profile, check);
  const successMs = clock.nowMs;
  clock.nowMs += 1;
  fails = true;
  await assert.rejects(registry.use(profile, check), { code: 'unavailable', retryAfterSeconds: 7 });
  const { lastSuccessMs, lastErrorMs, lastError } =
    (await findProfile(files.database, profile.id)) ?? profile;
  assert.deepEqual([lastSuccessMs, lastErrorMs, lastError], [successMs, clock.nowMs, 'it is so']);
});

test('values that the platform refuses are the fault of the caller and no failure', async () => {
  const { registry } = fakes(refuse('invalid'));
  const profile = await newProfile();
  for (let time = 0; time < 10; time += 1)
    await assert.rejects(registry.use(profile, check), { code: 'validation' });
});

test("a password sealed under another key is told as the profile's trouble", async () => {
  const { registry, opened } = fakes(async () => ({ brokerTimeMs: 1 }));
  const profile = { ...(await newProfile()), secretKeyId: 'another' };
  await assert.rejects(registry.use(profile, check), {
    code: 'unavailable',
    message: /another PLIMSOLL_SECRET_KEY/,
  });
  assert.equal(opened.length, 0);
});

test('gateways that nobody used for long are closed when another one is opened', async () => {
  const { registry, made } = fakes(async () => ({ brokerTimeMs: 1 }));
  await registry.use(await newProfile(), check);
  clock.nowMs += 601_000;
  await registry.use(await newProfile(), check);
  assert.deepEqual(
    made.map(({ closed }) => closed),
    [1, 0],
  );
  await registry.closeAll();
  assert.deepEqual(
    made.map(({ closed }) => closed),
    [1, 1],
  );
  await assert.rejects(registry.use(await newProfile(), check), { code: 'unavailable' });
});
