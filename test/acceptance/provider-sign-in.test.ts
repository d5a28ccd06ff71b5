import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, often } from '../needs.ts';
import { freePort } from '../servers/free-ports.ts';
import { CLIENT, type ProviderServer, startProvider } from '../servers/openid-provider-server.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { ProviderBrowser } from '../servers/provider-browser.ts';

needs('postgres', 'server');

const PEOPLE = '/users/current/people';
const SIGNED_IN = '/#signed-in';
const KINDS = (['postgres', 'sqlite'] as const).slice(0, often(1, 2));

type Person = { id: string; name: string; email: string; role: string };
type Entry = { action: string; actor: string; details: Record<string, string> };

for (const kind of KINDS) {
  describe(`signing in at an OpenID provider on ${kind}`, () => {
    let provider: ProviderServer;
    let running: TestServer;
    let home: string;
    let desk: Client & { userId: string };
    const start = async (environment: Record<string, string> = {}): Promise<void> => {
      const port = await freePort();
      home = `http://127.0.0.1:${port}`;
      provider = await startProvider(home);
      running = await startOn(kind, {
        ...{ PORT: String(port), PLIMSOLL_PUBLIC_URL: home, PLIMSOLL_OIDC_ISSUER: provider.issuer },
        ...{ PLIMSOLL_OIDC_CLIENT_ID: CLIENT.id, PLIMSOLL_OIDC_CLIENT_SECRET: CLIENT.secret },
        ...{ PLIMSOLL_OIDC_USER: 'desk@example.com', ...environment },
      });
      const admin = new Client(home, ADMIN_TOKEN);
      const made = await admin.post<{ id: string }>('/admin/users', { email: 'desk@example.com' });
      const scopes = ['read', 'write', 'ingest', 'actions'];
      const { body } = await admin.post<{ token: string }>(`/admin/users/${made.body.id}/tokens`, {
        scopes,
      });
      desk = Object.assign(new Client(home, body.token), { userId: made.body.id });
    };
    const stop = async (): Promise<void> => {
      await running.close();
      await provider.close();
    };

    const known = (name: string, more: object = {}): void => {
      const email = `${name}@example.com`;
      provider.people.set(name, { email, email_verified: true, name: `The ${name}`, ...more });
    };
    const invite = async (name: string, role: string, more: object = {}) => {
      known(name);
      const fields = { name, email: `${name}@example.com`, role, ...more };
      const answer = await desk.post<{ id: string }>(PEOPLE, fields);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.id;
    };
    const signedIn = async (name: string): Promise<ProviderBrowser> => {
      const browser = new ProviderBrowser(home);
      assert.equal(await browser.signIn(name), SIGNED_IN);
      return browser;
    };
    const people = async (): Promise<Person[]> => (await desk.get<Person[]>(PEOPLE)).body;
    const audit = async (action: string): Promise<Entry[]> => {
      const path = `/admin/audit?userId=${desk.userId}&action=${action}`;
      return (await new Client(home, ADMIN_TOKEN).get<Entry[]>(path)).body;
    };
    const statusOf = async (client: Client): Promise<number> =>
      (await client.get('/users/current/accounts')).status;

    describe('for the invited only', () => {
      before(() => start());
      after(stop);

      it('gives two people in two browsers their roles, and the audit their names', async () => {
        await invite('anna', 'backOffice');
        await invite('victor', 'viewer');
        const [anna, victor] = [await signedIn('anna'), await signedIn('victor')];
        const id = await newAccount(anna.client);
        assert.equal(await statusOf(victor.client), 200);
        const renamed = { name: 'Mine' };
        const path = `/users/current/accounts/${id}`;
        assert.equal((await victor.client.call('PATCH', path, renamed)).status, 403);
        const { body } = await victor.client.get<{ provider: string }>('/session');
        assert.equal(body.provider, 'used');
        const started = await audit('session.started');
        assert.deepEqual(
          started.map(({ actor, details }) => [actor, details.by]),
          ['victor', 'anna'].map((name) => [`person:${name}@example.com`, 'provider']),
        );
      });

      it('refuses strangers, and addresses that nobody vouches for or that changed hands', async () => {
        known('stranger');
        assert.equal(await new ProviderBrowser(home).signIn('stranger'), '/#refused=unknown');
        await invite('ida', 'viewer');
        known('ida', { email_verified: false });
        assert.equal(await new ProviderBrowser(home).signIn('ida'), '/#refused=email');
        known('ida');
        await signedIn('ida');
        known('thief', { email: 'ida@example.com' });
        assert.equal(await new ProviderBrowser(home).signIn('thief'), '/#refused=other');
        // The person is known by the subject, whatever the address becomes.
        known('ida', { email: 'ida.married@example.com' });
        await signedIn('ida');
        assert.equal(
          (await people()).filter(({ email }) => /stranger|thief/.test(email)).length,
          0,
        );
        assert.deepEqual(
          (await audit('session.refused')).map(({ details }) => details.reason),
          ['other', 'email', 'unknown'],
        );
      });

      it('makes nobody of an answer that this browser did not ask for', async () => {
        await invite('paul', 'viewer');
        const paul = new ProviderBrowser(home);
        const form = await paul.go(`${home}/session/provider`);
        const callback = `${home}/session/provider/callback`;
        const back = await paul.go(form.address, { name: 'paul' }, callback);
        const answer = new URL(back.response.headers.get('location') ?? '');
        const tokens = provider.tokens();
        const ends = async (browser: ProviderBrowser, address: URL) =>
          (await browser.go(address.href)).response.headers.get('location');
        // In a browser that began nothing, and in one that began a sign-in of its own.
        const other = new ProviderBrowser(home);
        assert.equal(await ends(other, answer), '/#refused=state');
        await other.go(`${home}/session/provider`);
        assert.equal(await ends(other, answer), '/#refused=state');
        const own = new ProviderBrowser(home);
        const begun = await own.ask(`${home}/session/provider`);
        const { searchParams } = new URL(begun.headers.get('location') ?? '');
        const stolen = new URL(answer);
        stolen.searchParams.set('state', searchParams.get('state') ?? '');
        assert.equal(await ends(own, stolen), '/#refused=invalid');
        const elsewhere = new URL(answer);
        elsewhere.searchParams.set('iss', 'https://elsewhere.example.com');
        assert.equal(await ends(paul, elsewhere), '/#refused=invalid');
        assert.equal(provider.tokens(), tokens);
        for (const browser of [paul, other, own]) assert.equal(await statusOf(browser.client), 401);
      });

      it('says so when the provider signs nobody in', async () => {
        assert.equal(await new ProviderBrowser(home).signIn(''), '/#refused=denied');
      });

      it('begins from a page of this server only', async () => {
        const headers = { 'sec-fetch-site': 'cross-site' };
        const asked = await fetch(`${home}/session/provider`, { headers, redirect: 'manual' });
        assert.equal(asked.status, 403);
      });

      it('ends here, with an open stream, when it ends at the provider', async () => {
        await invite('olga', 'viewer');
        const [here, there] = [await signedIn('olga'), await signedIn('olga')];
        const stream = await fetch(`${home}/users/current/tracker-events/live`, {
          headers: here.client.headers,
        });
        assert.equal(stream.status, 200);
        assert.equal(await here.signOutThere(), '/');
        assert.equal(await statusOf(here.client), 401);
        assert.match(await stream.text(), /event: closed\ndata: {"reason":"token-ended"}/);
        assert.equal(await statusOf(there.client), 200);
      });

      it('believes no logout token but that of the provider', async () => {
        await invite('nora', 'viewer');
        const nora = await signedIn('nora');
        for (const body of ['', 'logout_token=x', 'logout_token=a.b.c', 'x'.repeat(20_000)]) {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' };
          const init = { method: 'POST', headers, body };
          const { status } = await fetch(`${home}/session/provider/logout`, init);
          assert.ok(status === 400 || status === 413, `${status}`);
        }
        assert.equal(await statusOf(nora.client), 200);
      });

      it('is bounded for one address', async () => {
        const headers = { 'sec-fetch-site': 'same-origin' };
        const ask = () => fetch(`${home}/session/provider`, { headers, redirect: 'manual' });
        const reasons = new Set<string>();
        // Some are given back each second, so they are asked faster than that, however busy it is.
        for (let count = 0; count < 1000 && !reasons.has('/#refused=busy'); count += 50) {
          const answers = await Promise.all(Array.from({ length: 50 }, ask));
          for (const { headers } of answers) {
            const to = headers.get('location') ?? '';
            reasons.add(to.startsWith(provider.issuer) ? 'asked' : to);
          }
        }
        assert.deepEqual([...reasons].sort(), ['/#refused=busy', 'asked']);
      });
    });

    describe('for all whom it knows, with roles by groups', () => {
      before(() =>
        start({ PLIMSOLL_OIDC_PEOPLE: 'all', PLIMSOLL_OIDC_ROLES: 'leads=owner,desk=risk' }),
      );
      after(stop);

      it('makes people with the role of their first group, which follows the groups', async () => {
        known('lena', { groups: ['desk', 'leads'] });
        const lena = await signedIn('lena');
        assert.deepEqual(
          (await people()).map(({ name, email, role }) => [name, email, role]),
          [['The lena', 'lena@example.com', 'owner']],
        );
        assert.equal((await lena.client.get(PEOPLE)).status, 200);
        known('lena', { groups: ['desk'] });
        await lena.signIn('lena');
        assert.deepEqual(
          (await people()).map(({ role }) => role),
          ['risk'],
        );
        assert.equal((await lena.client.get(PEOPLE)).status, 403);
        known('lena', { groups: [] });
        assert.equal(await lena.signIn('lena'), '/#refused=group');
      });

      it('leaves an invited trader the accounts of the invitation', async () => {
        const accountIds = [await newAccount(desk)];
        await newAccount(desk);
        await invite('tom', 'trader', { accountIds });
        const tom = await signedIn('tom');
        const seen = await tom.client.get<{ id: string }[]>('/users/current/accounts');
        assert.deepEqual(
          seen.body.map(({ id }) => id),
          accountIds,
        );
      });
    });
  });
}
