import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { P5_MANAGER, type P5ServerProcess, startP5Server } from '../servers/p5-server-process.ts';
import { Client, newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

type ErrorBody = { error: string; message: string; details?: { parameter: string }[] };
type User = Record<string, string>;
type Opened = { login: string; password: string; investorPassword: string };
type ProfileBody = { id: string; connection: { state: string; lastError?: string } };

const USER_FIELDS = [
  'address',
  'balance',
  'city',
  'clientId',
  'country',
  'email',
  'group',
  'leverage',
  'login',
  'name',
  'phone',
  'state',
  'zip',
];
const PROFILES = '/users/current/provisioning-profiles';
const GROUP = 'real\\50% off/ünï cødé';

for (const kind of testedOn()) {
  describe(`accounts on a p5 platform, with ${kind}`, () => {
    let running: TestServer;
    let p5: P5ServerProcess;
    let user: Client & { userId: string };
    let profileId: string;
    const base = (): string => `/users/current/p5/provisioning-profiles/${profileId}`;
    const newProfile = (fields: object = {}): object => ({
      name: 'Harbour',
      platform: 'p5',
      kind: 'p5-web-api',
      server: p5.url,
      ...P5_MANAGER,
      tlsFingerprint: p5.fingerprint,
      ...fields,
    });
    const openAccount = (
      fields: object = {},
      headers: Record<string, string> = {},
      client: Client = user,
    ) =>
      client.post<Opened & ErrorBody>(
        `${base()}/accounts`,
        { email: 'ada@example.com', group: 'demo\\usd', leverage: 100, ...fields },
        headers,
      );

    before(async () => {
      p5 = await startP5Server({ tls: true });
      running = await startOn(kind, {
        PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
        LOG_LEVEL: 'debug',
      });
      user = await newUser(running.server.address);
      const made = await user.post<{ id: string }>(PROFILES, newProfile());
      assert.equal(made.status, 201, JSON.stringify(made.body));
      profileId = made.body.id;
    });
    after(async () => {
      await running.close();
      await p5.remove();
    });

    it('shows a profile without its password, and the state of its connection', async () => {
      const before = await user.get<ProfileBody>(`${PROFILES}/${profileId}`);
      assert.equal(before.status, 200);
      assert.deepEqual(before.body.connection, { state: 'untried' });
      await user.get(`${base()}/accounts/1`);
      const later = await user.get<ProfileBody>(`${PROFILES}/${profileId}`);
      assert.equal(later.body.connection.state, 'working');
      const list = await user.get<ProfileBody[]>(PROFILES);
      assert.ok(list.body.some(({ id }) => id === profileId));
      assert.doesNotMatch(JSON.stringify([later.body, list.body]), /Password1|secret/i);
    });

    it('opens an account, tells its passwords once, and reads it to the letter', async () => {
      const opened = await openAccount({
        group: GROUP,
        firstName: 'Ada',
        middleName: ' ',
        lastName: 'Lovelace',
        city: 'London',
        zip: 'W1',
        leadSource: 'web',
        leadCampaign: 'spring',
        clientId: 77,
      });
      assert.equal(opened.status, 201, JSON.stringify(opened.body));
      const { login, password, investorPassword } = opened.body;
      assert.deepEqual(Object.keys(opened.body).sort(), ['investorPassword', 'login', 'password']);
      assert.notEqual(password, investorPassword);
      const expected: User = {
        login,
        address: '',
        balance: '0.00',
        city: 'London',
        country: '',
        email: 'ada@example.com',
        group: GROUP,
        leverage: '100',
        name: 'Ada Lovelace',
        phone: '',
        state: '',
        zip: 'W1',
        clientId: '77',
        leadSource: 'web',
        leadCampaign: 'spring',
      };
      const read = await user.get<User>(`${base()}/accounts/${login}`);
      assert.equal(read.status, 200);
      assert.deepEqual(read.body, expected);
      for (const body of [{}, undefined, ''])
        assert.deepEqual(
          (await user.post<User>(`${base()}/accounts/${login}`, body)).body,
          expected,
        );
      const { passwords } = (await p5.control('/state')) as {
        passwords: Record<string, { main: string; investor: string }>;
      };
      assert.deepEqual(passwords[login], { main: password, investor: investorPassword });
      assert.ok(!running.server.log().includes(password));
      assert.ok(!running.server.log().includes(investorPassword));
      assert.ok(!running.server.log().includes(P5_MANAGER.password));
    });

    it('lists exactly the users of a group, however it is named', async () => {
      const path = `${base()}/groups/${encodeURIComponent(GROUP)}/accounts`;
      const listed = await user.get<User[]>(path);
      assert.equal(listed.status, 200);
      assert.ok(listed.body.length > 0);
      for (const each of listed.body) {
        assert.deepEqual(Object.keys(each).sort(), USER_FIELDS);
        assert.equal(each.group, GROUP);
      }
      assert.deepEqual((await user.post<User[]>(path, {})).body, listed.body);
      for (const group of ['nowhere', '*', 'real\\*', 'real\\50%25 off/ünï cødé']) {
        const none = await user.get<User[]>(
          `${base()}/groups/${encodeURIComponent(group)}/accounts`,
        );
        assert.equal(none.status, 200);
        assert.deepEqual(none.body, []);
      }
    });

    it('answers a request repeated with its key with the same account', async () => {
      const headers = { 'idempotency-key': 'order 66' };
      const first = await openAccount({ city: 'Oslo' }, headers);
      const again = await openAccount({ city: 'Oslo' }, headers);
      assert.equal(first.status, 201);
      assert.equal(again.status, 201);
      assert.equal(again.body.login, first.body.login);
      const { passwords } = (await p5.control('/state')) as {
        passwords: Record<string, { main: string }>;
      };
      assert.equal(passwords[first.body.login]?.main, again.body.password);
      const other = await openAccount({ city: 'Bergen' }, headers);
      assert.equal(other.status, 409);
      const unkeyed = await openAccount({ city: 'Oslo' });
      assert.notEqual(unkeyed.body.login, first.body.login);
    });

    it('opens one account for a key that comes many times at once', async () => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const city = `City ${headers['idempotency-key']}`;
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => openAccount({ city }, headers)),
      );
      assert.ok(answers.some(({ status }) => status === 201));
      assert.ok(answers.every(({ status }) => status === 201 || status === 503));
      const { users } = (await p5.control('/state')) as { users: { City: string }[] };
      assert.equal(users.filter(({ City }) => City === city).length, 1);
    });

    it('lets a refused request be repeated with better values under its key', async () => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      assert.equal((await openAccount({ group: 'nowhere' }, headers)).status, 400);
      assert.equal((await openAccount({}, headers)).status, 201);
    });

    it('finds the account of an opening whose answer was lost on the way', async () => {
      await p5.control('/fault', { kind: 'drop', command: '/api/user/add' });
      const city = crypto.randomUUID();
      const opened = await openAccount({ city });
      assert.equal(opened.status, 201);
      const { users } = (await p5.control('/state')) as { users: { City: string }[] };
      assert.equal(users.filter(({ City }) => City === city).length, 1);
    });

    it("names every fault of a new account, and the platform's refusals", async () => {
      const faults = await user.post<ErrorBody>(`${base()}/accounts`, {
        email: 'nobody',
        leverage: 0,
        city: 7,
        enabled: 'yes',
        clientId: -1,
        zip: 'x'.repeat(33),
        colour: 'red',
      });
      assert.equal(faults.status, 400);
      assert.equal(faults.body.error, 'ValidationError');
      assert.deepEqual(faults.body.details?.map(({ parameter }) => parameter).sort(), [
        'city',
        'clientId',
        'colour',
        'email',
        'enabled',
        'group',
        'leverage',
        'zip',
      ]);
      for (const fields of [
        { group: 'nowhere' },
        { group: 'demo\\*' },
        { leverage: 501 },
        { leverage: 1.5 },
      ]) {
        const refused = await openAccount(fields);
        assert.equal(refused.status, 400, JSON.stringify(refused.body));
      }
    });

    it('answers 400 for a strange profile where nothing else is documented', async () => {
      const p4 = base().replace('p5', 'p4');
      const none = base().replace(profileId, 'none');
      const other = await newUser(running.server.address);
      for (const refused of [
        await user.get<ErrorBody>(`${p4}/symbolsGroup`),
        await user.get<ErrorBody>(`${p4}/groups/demo/accounts`),
        await user.get<ErrorBody>(`${none}/groups/demo/accounts`),
        await other.get<ErrorBody>(`${base()}/groups/demo/accounts`),
        await openAccount({}, {}, other),
      ]) {
        assert.equal(refused.status, 400);
        const { error, message, details } = refused.body as ErrorBody;
        assert.deepEqual(
          { error, message, details },
          {
            ...{ error: 'ValidationError', message: 'Provisioning profile not found' },
            details: [{ parameter: 'profileId', message: 'is not known' }],
          },
        );
      }
    });

    it('answers 404 for strange logins, profiles, families and other users', async () => {
      assert.equal((await user.get(`${base()}/accounts/1`)).status, 404);
      assert.equal((await user.get(`${base().replace(profileId, 'none')}/accounts/1`)).status, 404);
      const other = await newUser(running.server.address);
      assert.equal((await other.get(`${base()}/accounts/1`)).status, 404);
      assert.equal((await other.get(`${PROFILES}/${profileId}`)).status, 404);
      assert.equal((await other.call('DELETE', `${PROFILES}/${profileId}`)).status, 404);
      for (const login of ['abc', '0', '-1', '1.5', '99999999999999999999'])
        assert.equal((await user.get(`${base()}/accounts/${login}`)).status, 400, login);
    });

    it('answers 401 without a token on every one of these operations', async () => {
      const nobody = new Client(running.server.address, undefined);
      for (const [method, path] of [
        ['GET', `${base()}/accounts/1`],
        ['POST', `${base()}/accounts/1`],
        ['POST', `${base()}/accounts`],
        ['GET', `${base().replace('p5', 'p4')}/symbolsGroup`],
        ['GET', `${base().replace('p5', 'p4')}/accounts/1/account-information`],
        ['GET', `${base().replace('p5', 'p4')}/groups/x/accounts`],
        ['GET', PROFILES],
      ] as const)
        assert.equal((await nobody.call(method, path)).status, 401, `${method} ${path}`);
    });

    it('says 503 with retry-after while the platform is down, and recovers', async () => {
      await p5.kill();
      const down = await user.get<ErrorBody>(`${base()}/accounts/1`);
      assert.equal(down.status, 503);
      assert.equal(down.body.error, 'ServiceUnavailableError');
      assert.ok(Number(down.headers.get('retry-after')) >= 1);
      const profile = await user.get<ProfileBody>(`${PROFILES}/${profileId}`);
      assert.equal(profile.body.connection.state, 'failing');
      assert.match(profile.body.connection.lastError ?? '', /cannot be reached/);
      await p5.start();
      await until(async () => (await user.get(`${base()}/accounts/1`)).status === 404);
    });

    it('says that the profile is refused, not the token, if its password is wrong', async () => {
      const made = await user.post<{ id: string }>(PROFILES, newProfile({ password: 'Wrong!99' }));
      const path = base().replace(profileId, made.body.id);
      const refused = await user.get<ErrorBody>(`${path}/accounts/1`);
      assert.equal(refused.status, 503);
      assert.match(refused.body.message, /This profile cannot log in to its platform/);
      assert.doesNotMatch(refused.body.message + running.server.log(), /Wrong!99/);
    });

    it('refuses profiles that can not work, with every fault', async () => {
      const faultsOf = async (fields: object): Promise<string[] | undefined> => {
        const answer = await user.post<ErrorBody>(PROFILES, fields);
        assert.equal(answer.status, 400, JSON.stringify(answer.body));
        assert.doesNotMatch(JSON.stringify(answer.body), /topsecret/);
        return answer.body.details?.map(({ parameter }) => parameter).sort();
      };
      const common = { name: 'x', platform: 'p5', kind: 'p5-web-api' };
      assert.deepEqual(await faultsOf(common), ['login', 'password', 'server']);
      assert.deepEqual(await faultsOf(newProfile({ platform: 'p4' })), ['platform']);
      assert.deepEqual(await faultsOf(newProfile({ login: 'boss' })), ['login']);
      assert.deepEqual(await faultsOf(newProfile({ server: 'http://example.com' })), ['server']);
      assert.deepEqual(await faultsOf(newProfile({ server: 'https://a:topsecret@b.c' })), [
        'server',
      ]);
      assert.deepEqual(await faultsOf(newProfile({ tlsFingerprint: 'AB' })), ['tlsFingerprint']);
      assert.deepEqual(await faultsOf(newProfile({ brokerClock: { zone: 'Mars/Base' } })), [
        'brokerClock.zone',
      ]);
    });

    it('deletes a profile with its credentials', async () => {
      const made = await user.post<{ id: string }>(PROFILES, newProfile());
      assert.equal((await user.call('DELETE', `${PROFILES}/${made.body.id}`)).status, 204);
      assert.equal((await user.get(`${PROFILES}/${made.body.id}`)).status, 404);
      assert.equal((await user.call('DELETE', `${PROFILES}/${made.body.id}`)).status, 404);
    });
  });
}

describe('profiles on a server without PLIMSOLL_SECRET_KEY', () => {
  let running: TestServer;
  let user: Client;
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address);
  });
  after(() => running.close());

  it('refuses to take a password that it could not encrypt', async () => {
    const answer = await user.post<ErrorBody>(PROFILES, {
      ...{ name: 'x', platform: 'p5', kind: 'p5-web-api', server: 'https://127.0.0.1:9' },
      ...{ login: 1000, password: 'Password1' },
    });
    assert.equal(answer.status, 400);
    assert.match(JSON.stringify(answer.body), /PLIMSOLL_SECRET_KEY/);
  });

  it('serves the p4 operations on a simulated platform, which needs no password', async () => {
    const made = await user.post<{ id: string }>(PROFILES, {
      ...{ name: 'Simulated', platform: 'p4', kind: 'simulated' },
    });
    assert.equal(made.status, 201);
    const base = `/users/current/p4/provisioning-profiles/${made.body.id}`;
    const symbols = await user.get<{ symbol: string; type: number }[]>(
      `${base}/symbolsGroup?group=0`,
    );
    assert.equal(symbols.status, 200);
    assert.ok(symbols.body.some(({ symbol }) => symbol === 'EURUSD'));
    assert.ok(symbols.body.every(({ type }) => type === 0));
    for (const group of ['32', '-1', '1.5', 'x', ''])
      assert.equal((await user.get(`${base}/symbolsGroup?group=${group}`)).status, 400, group);
    const information = await user.get<{ login: number; platform: string }>(
      `${base}/accounts/100001/account-information`,
    );
    assert.equal(information.status, 200, JSON.stringify(information.body));
    assert.equal(information.body.login, 100001);
    assert.equal(information.body.platform, 'mt4');
    // Logins that end in 5 only hold money.
    const idle = await user.get<{ margin: number; marginLevel: number }>(
      `${base}/accounts/100005/account-information`,
    );
    assert.deepEqual([idle.body.margin, idle.body.marginLevel], [0, 0], JSON.stringify(idle.body));
    const byPost = await user.post(`${base}/accounts/100001/account-information`, {});
    assert.equal(byPost.status, 200);
    const listed = await user.get<User[]>(`${base}/groups/demo-usd/accounts`);
    assert.deepEqual(listed.body.length, 20);
    assert.deepEqual(Object.keys(listed.body[0] ?? {}).sort(), USER_FIELDS);
    assert.equal((await user.get(`${base}/accounts/1/account-information`)).status, 404);
  });
});
