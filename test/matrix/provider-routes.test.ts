import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { sessionOf } from '../servers/browser-session.ts';
import { freePort } from '../servers/free-ports.ts';
import { CLIENT, type ProviderServer, startProvider } from '../servers/openid-provider-server.ts';
import { Client, newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';

needs('server');

type Row = [
  method: string,
  path: string,
  ownPage: number,
  otherPage: number,
  /** Where the browser is sent: here, at the provider, or nowhere. */
  to: RegExp | undefined,
];
const PATH = '/session/provider';

/** The ways of the OpenID provider are no operations: written by hand, as the rows of those. */
const ROWS: Row[] = [
  ['GET', PATH, 303, 403, /^http:\/\/127\.0\.0\.1:\d+\/auth\?/],
  // The provider's page leads here: what counts is the secret of the browser that began.
  ['GET', `${PATH}/callback`, 303, 303, /^\/#refused=state$/],
  ['GET', `${PATH}/callback?code=x&state=x&next=https://evil.example`, 303, 303, /^\/#refused=/],
  ['GET', `${PATH}/end`, 303, 403, /^http:\/\/127\.0\.0\.1:\d+\/session\/end\?/],
  // Of the provider itself, which signs it.
  ['POST', `${PATH}/logout`, 400, 400, undefined],
];

describe('the ways of the OpenID provider', () => {
  let provider: ProviderServer;
  let running: TestServer;
  let home: string;
  before(async () => {
    const port = await freePort();
    home = `http://127.0.0.1:${port}`;
    provider = await startProvider(home);
    running = await startOn('sqlite', {
      ...{ PORT: String(port), PLIMSOLL_PUBLIC_URL: home, PLIMSOLL_OIDC_ISSUER: provider.issuer },
      ...{ PLIMSOLL_OIDC_CLIENT_ID: CLIENT.id, PLIMSOLL_OIDC_CLIENT_SECRET: CLIENT.secret },
      PLIMSOLL_OIDC_USER: 'desk@example.com',
    });
  });
  after(async () => {
    await running.close();
    await provider.close();
  });

  const ask = (method: string, path: string, headers: Record<string, string>) =>
    fetch(home + path, {
      ...{ method, redirect: 'manual', headers },
      ...(method === 'POST' ? { body: new URLSearchParams({ logout_token: 'x' }) } : {}),
    });

  it('are the same for all, and for pages of other servers closed or of no use', async () => {
    const user = await newUser(home);
    const session = await sessionOf(user);
    const callers = {
      nobody: {},
      token: { 'auth-token': user.token ?? '' },
      session: { cookie: session.headers.cookie ?? '' },
      'a secret of another browser': { cookie: `plimsoll-sign-in_${new URL(home).port}=x` },
    };
    const wrong: string[] = [];
    for (const [method, path, ownPage, otherPage, to] of ROWS) {
      for (const [who, headers] of Object.entries(callers)) {
        for (const [site, status] of [
          ['same-origin', ownPage],
          ['cross-site', otherPage],
        ] as const) {
          const answer = await ask(method, path, { ...headers, 'sec-fetch-site': site });
          const location = answer.headers.get('location');
          const isSent = status === 303 && to ? to.test(location ?? '') : location === null;
          const isSignedIn = answer.headers
            .getSetCookie()
            .some((set) => /plimsoll(_\d+)?=/.test(set));
          if (answer.status !== status || !isSent || isSignedIn)
            wrong.push(`${method} ${path} by ${who}, ${site}: ${answer.status} ${location}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
    const still = await session.get('/users/current/accounts');
    assert.equal(still.status, 200, 'nothing of it ends a session');
  });

  it('are not there without a provider', async () => {
    const without = await startOn('sqlite');
    try {
      for (const [method, path] of ROWS) {
        const client = new Client(without.server.address, undefined);
        assert.equal((await client.call(method, path)).status, 404, `${method} ${path}`);
      }
    } finally {
      await without.close();
    }
  });
});
