import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { systemTime } from '../app/system-time.ts';
import { SimulatedBroker } from '../demo/platform/broker.ts';
import { Histories } from '../demo/platform/histories.ts';
import { MemoryStore } from '../demo/platform/memory-store.fixture.ts';
import { SimulatedGateway } from '../demo/platform/simulated-gateway.ts';
import { LockedSecret } from '../storage/key-ring.ts';
import type { Profile } from '../storage/profile-store.ts';
import { type SealedSecret, SecretBox } from '../storage/secret-box.ts';
import { type Gateway, PlatformError } from './gateway.ts';
import { GatewayRegistry, type GatewayRequest } from './gateway-registry.ts';

const clock = { nowMs: 1_750_000_000_000 };
const now = (): number => clock.nowMs;
let jumpMs = 0;
/** A machine whose clock is set. */
const time = { now: () => clock.nowMs + jumpMs, elapsed: now };
const box = new SecretBox(randomBytes(32));
const secrets = {
  open: async ({ secret, secretKeyId }: SealedSecret, owner: string) => {
    if (secretKeyId !== box.keyId) throw new LockedSecret(secretKeyId);
    return box.open(secret, owner);
  },
};
const broker = await SimulatedBroker.open({
  ...{ family: 'p5', store: new MemoryStore(), now },
  ...{ userId: 'user', histories: new Histories(systemTime) },
});
let notes: { profileId: string; atMs: number; failure: string | undefined }[] = [];
let logged: object[] = [];
beforeEach(() => {
  notes = [];
  logged = [];
  jumpMs = 0;
});

function newProfile(password = 'secret'): Profile {
  const id = crypto.randomUUID();
  const sealed = box.seal(password, id);
  return {
    ...{ id, userId: 'user', name: 'x', platform: 'p5', kind: 'p5-web-api' },
    ...{ server: 'https://x', login: '1', tlsFingerprint: null, tlsCa: null },
    ...{ ...sealed, createdAtMs: 0 },
    brokerClock: { zone: 'UTC', shiftHours: 0 },
    allowedActions: [],
    ...{ lastSuccessMs: null, lastErrorMs: null, lastError: null },
  };
}

type Check = () => Promise<{ brokerTimeMs: number }>;
class Fake extends SimulatedGateway {
  closed = 0;
  readonly #check: Check;
  constructor(check: Check) {
    super(broker);
    this.#check = check;
  }
  override check(): ReturnType<Check> {
    return this.#check();
  }
  override async close(): Promise<void> {
    this.closed += 1;
  }
}
function fakes(check: Check): {
  registry: GatewayRegistry;
  opened: GatewayRequest[];
  made: Fake[];
} {
  const opened: GatewayRequest[] = [];
  const made: Fake[] = [];
  const registry = new GatewayRegistry({
    open: (request) => {
      opened.push(request);
      const gateway = new Fake(check);
      made.push(gateway);
      return gateway;
    },
    secrets,
    noteOutcome: async (profileId, atMs, failure) => {
      notes.push({ profileId, atMs, failure });
    },
    time,
    logger: { warn: (fields) => logged.push(fields) },
  });
  return { registry, opened, made };
}
const check = (gateway: Gateway): Promise<unknown> => gateway.check();
const refuse = (code: PlatformError['code']) => async (): Promise<never> => {
  throw new PlatformError(code, 'it is so', { retryAfterSeconds: 7 });
};

test('a gateway is opened once, with the decrypted password, when first needed', async () => {
  const { registry, opened } = fakes(async () => ({ brokerTimeMs: 1 }));
  const profile = newProfile('Password1');
  assert.equal(opened.length, 0);
  await Promise.all([registry.use(profile, check), registry.use(profile, check)]);
  assert.deepEqual(
    opened.map(({ password }) => password),
    ['Password1'],
  );
});

test('a platform that is down is left alone after five failures; others are served', async () => {
  let calls = 0;
  const { registry } = fakes(async () => {
    calls += 1;
    return refuse('unavailable')();
  });
  const dead = newProfile();
  for (let time = 0; time < 20; time += 1)
    await assert.rejects(registry.use(dead, check), { code: 'unavailable' });
  assert.equal(calls, 5);
  const alive = newProfile();
  assert.equal(await registry.use(alive, async () => 'served'), 'served');
  clock.nowMs += 1000;
  await assert.rejects(registry.use(dead, check), { code: 'unavailable' });
  assert.equal(calls, 6);
});

test('outcomes are noted when they change or are old; causes go to the log alone', async () => {
  const fate: { error?: PlatformError } = {};
  const { registry } = fakes(async () => {
    if (fate.error) throw fate.error;
    return { brokerTimeMs: 1 };
  });
  const profile = newProfile();
  for (let time = 0; time < 3; time += 1) await registry.use(profile, check);
  const cause = new Error('connect ECONNREFUSED 10.0.0.1:443');
  fate.error = new PlatformError('unavailable', "the server can't be reached", { cause });
  for (let time = 0; time < 3; time += 1)
    await assert.rejects(registry.use(profile, check), { code: 'unavailable' });
  clock.nowMs += 30_000;
  await assert.rejects(registry.use(profile, check), { code: 'unavailable' });
  assert.deepEqual(
    notes.map(({ failure }) => failure),
    [undefined, "the server can't be reached", "the server can't be reached"],
  );
  assert.deepEqual(
    logged.map((fields) => 'cause' in fields && fields.cause),
    [cause.message, cause.message],
  );
});

test('a call that is cut by the end of the process says nothing of the platform', async () => {
  const answer = Promise.withResolvers<{ brokerTimeMs: number }>();
  const { registry } = fakes(() => answer.promise);
  const using = registry.use(newProfile(), check);
  await registry.closeAll();
  answer.reject(new PlatformError('unavailable', 'the connection is closed'));
  await assert.rejects(using, /the connection is closed/);
  assert.deepEqual([notes, logged], [[], []]);
});

test('a refused login is not tried again for a minute', async () => {
  let calls = 0;
  const { registry } = fakes(async () => {
    calls += 1;
    return refuse('denied')();
  });
  const profile = newProfile();
  await assert.rejects(registry.use(profile, check), { code: 'denied' });
  await assert.rejects(registry.use(profile, check), {
    code: 'unavailable',
    retryAfterSeconds: 60,
  });
  clock.nowMs += 60_000;
  await assert.rejects(registry.use(profile, check), { code: 'denied' });
  assert.equal(calls, 2);
});

test('a clock that was days ahead, and is set right, does not prolong a wait', async () => {
  let fails = true;
  const { registry } = fakes(async () => {
    if (fails) return refuse('unavailable')();
    return { brokerTimeMs: 1 };
  });
  jumpMs = 5 * 86_400_000;
  const profile = newProfile();
  for (let time = 0; time < 5; time += 1)
    await assert.rejects(registry.use(profile, check), { code: 'unavailable' });
  [fails, jumpMs] = [false, 0];
  clock.nowMs += 1_000;
  assert.deepEqual(await registry.use(profile, check), { brokerTimeMs: 1 });
});

for (const code of ['invalid', 'unsupported', 'forbidden'] as const)
  test(`a refusal by the platform as ${code} is no failure of the platform`, async () => {
    const { registry } = fakes(refuse(code));
    const profile = newProfile();
    for (let time = 0; time < 10; time += 1)
      await assert.rejects(registry.use(profile, check), { code });
    assert.deepEqual(
      notes.map(({ failure }) => failure),
      [undefined],
    );
  });

test('a password under another key is reported as a fault of the profile', async () => {
  const { registry, opened } = fakes(async () => ({ brokerTimeMs: 1 }));
  const profile = { ...newProfile(), secretKeyId: 'another' };
  await assert.rejects(registry.use(profile, check), {
    code: 'denied',
    message: /cannot be decrypted\. It is encrypted under the key another, .* PLIMSOLL_SECRET_KEY/,
  });
  assert.equal(opened.length, 0);
});

test('long unused gateways are closed when another one is opened', async () => {
  const { registry, made } = fakes(async () => ({ brokerTimeMs: 1 }));
  await registry.use(newProfile(), check);
  clock.nowMs += 601_000;
  await registry.use(newProfile(), check);
  assert.deepEqual(
    made.map(({ closed }) => closed),
    [1, 0],
  );
  await registry.closeAll();
  assert.deepEqual(
    made.map(({ closed }) => closed),
    [1, 1],
  );
  await assert.rejects(registry.use(newProfile(), check), { code: 'unavailable' });
});
