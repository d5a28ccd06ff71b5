import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { OpenIdProvider, ProviderError } from './openid-provider.ts';

const KEYS = await generateKeyPair('RS256');
const OTHERS = await generateKeyPair('RS256');
const SEED = 'a secret of one browser';
const HOME = 'https://desk.example.com';
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

type Lie = {
  claims?: Record<string, unknown>;
  keys?: typeof KEYS;
  discovery?: (issuer: string) => Record<string, unknown>;
  tokenAnswer?: string;
};

/** A provider that answers as told, and counts the questions for tokens. */
async function lyingProvider(lie: Lie = {}) {
  let asked = 0;
  let nonce = '';
  const server = createServer(async (request, response) => {
    const { port } = server.address() as { port: number };
    const issuer = `http://127.0.0.1:${port}`;
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        ...{ issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` },
        authorization_endpoint: `${issuer}/auth`,
        end_session_endpoint: `${issuer}/end`,
        ...lie.discovery?.(issuer),
      }),
      '/keys': async () => ({
        keys: [{ ...(await exportJWK(KEYS.publicKey)), alg: 'RS256', use: 'sig', kid: 'one' }],
      }),
      '/token': async () => {
        asked += 1;
        if (lie.tokenAnswer !== undefined) return lie.tokenAnswer;
        const who = { sub: 'anna', sid: 'there', email: 'Anna@Example.com', email_verified: true };
        const seconds = Math.floor(Date.now() / 1000);
        const times = { iat: seconds, exp: seconds + 300 };
        const claims = { iss: issuer, aud: 'plimsoll', nonce, ...who, ...times, ...lie.claims };
        const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' });
        const id_token = await token.sign((lie.keys ?? KEYS).privateKey);
        return { access_token: 'of no use', token_type: 'bearer', id_token };
      },
    };
    const answer = await answers[request.url ?? '']?.();
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? {});
    response.setHeader('content-type', 'application/json').end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new OpenIdProvider(
    {
      issuer: new URL(issuer),
      ...{ clientId: 'plimsoll', clientSecret: 'secret', scopes: 'openid email', home: HOME },
      claims: { email: 'email', name: 'name', groups: 'groups' },
    },
    Date.now,
  );
  const begin = async () => {
    const { searchParams } = await provider.start(SEED);
    nonce = searchParams.get('nonce') ?? '';
    return new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' });
  };
  return {
    ...{ provider, issuer, begin, asked: () => asked },
    identify: async () => provider.identify(await begin(), SEED),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const faultOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'none',
    (error: unknown) => {
      if (error instanceof ProviderError) return error.fault;
      throw error;
    },
  );

test('a browser is sent with PKCE, a state and a nonce, and comes back as somebody', async () => {
  await using lying = await lyingProvider();
  const { searchParams, origin } = await lying.provider.start(SEED);
  assert.equal(origin, lying.issuer);
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  assert.equal(searchParams.get('redirect_uri'), `${HOME}/session/provider/callback`);
  const secrets = ['state', 'nonce', 'code_challenge'].map((name) => searchParams.get(name));
  assert.equal(new Set(secrets).size, 3);
  assert.deepEqual(await lying.identify(), {
    ...{ subject: 'anna', session: 'there', email: 'anna@example.com' },
    ...{ name: undefined, groups: [] },
  });
});

test('another state is refused without asking the provider', async () => {
  await using lying = await lyingProvider();
  const query = await lying.begin();
  assert.equal(await faultOf(lying.provider.identify(query, 'of another browser')), 'state');
  query.delete('state');
  assert.equal(await faultOf(lying.provider.identify(query, SEED)), 'state');
  assert.equal(lying.asked(), 0);
});

const LIES: Record<string, Lie> = {
  'another nonce': { claims: { nonce: 'of another sign-in' } },
  'no nonce': { claims: { nonce: undefined } },
  'another issuer': { claims: { iss: 'https://elsewhere.example.com' } },
  'another audience': { claims: { aud: 'another-client' } },
  'an end in the past': { claims: { exp: 1 } },
  "another's key": { keys: OTHERS },
  'another issuer in its own words': { discovery: () => ({ issuer: 'https://x.example.com' }) },
};
for (const [what, lie] of Object.entries(LIES)) {
  test(`an answer with ${what} makes nobody`, async () => {
    await using lying = await lyingProvider(lie);
    assert.equal(await faultOf(lying.identify()), 'invalid');
  });
}

test('an e-mail address counts only if the provider vouches for it', async () => {
  for (const email_verified of [false, undefined, 'true']) {
    await using lying = await lyingProvider({ claims: { email_verified } });
    assert.equal((await lying.identify()).email, undefined);
  }
});

test('answers are bounded in bytes, and places that the provider names in addresses', async () => {
  await using long = await lyingProvider({ tokenAnswer: `"${'x'.repeat(600_000)}"` });
  assert.equal(await faultOf(long.identify()), 'unreachable');
  // This machine by another name: only the host that the operator named may be private.
  const elsewhere = (issuer: string) => ({
    token_endpoint: `${issuer.replace('127.0.0.1', 'localhost')}/token`,
  });
  await using inside = await lyingProvider({ discovery: elsewhere });
  assert.equal(await faultOf(inside.identify()), 'unreachable');
  assert.equal(inside.asked(), 0);
});

test('a logout token counts only as the standard has it', async () => {
  await using lying = await lyingProvider();
  const sign = (claims: Record<string, unknown>, { privateKey } = KEYS, age = 0) =>
    new SignJWT({ events: LOGOUT, sid: 'there', jti: 'one', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'logout+jwt' })
      .setIssuer(lying.issuer)
      .setAudience('plimsoll')
      .setIssuedAt(Math.floor(Date.now() / 1000) - age)
      .sign(privateKey);
  const read = async (token: Promise<string>) => lying.provider.readEnd(await token);
  assert.deepEqual(await read(sign({})), { session: 'there', subject: undefined });
  assert.deepEqual(await read(sign({ sid: undefined, sub: 'anna' })), {
    ...{ session: undefined, subject: 'anna' },
  });
  const wrong = [
    sign({ events: {} }),
    sign({ events: undefined }),
    sign({ nonce: 'one' }),
    sign({ sid: undefined }),
    sign({ jti: undefined }),
    sign({}, OTHERS),
    sign({}, KEYS, 3600),
    Promise.resolve('no token'),
  ];
  for (const token of wrong) assert.equal(await faultOf(read(token)), 'invalid');
});
