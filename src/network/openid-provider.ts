import { createHmac } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';
import { boundedFetch, NoAnswer } from './bounded-fetch.ts';

export type OpenIdSettings = {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** As the provider wants them: words with spaces between. */
  scopes: string;
  /** The claims that hold these. */
  claims: { email: string; name: string; groups: string };
  /** The address of the dashboard, without a slash at its end. */
  home: string;
};

/** Whom the provider signed in. */
export type ProviderIdentity = {
  /** The person's name at the provider, which never changes. */
  subject: string;
  /** The session there; '' if the provider does not name it. */
  session: string;
  /** Undefined if the provider does not vouch for one. */
  email: string | undefined;
  name: string | undefined;
  groups: string[];
};

/** What has ended at the provider: a session, or all of a person. */
export type ProviderEnd = { session?: string | undefined; subject?: string | undefined };

/**
 * Why nobody is signed in. state: the answer is not to what this browser asked. denied: the
 * provider says no. invalid: its answer does not hold. unreachable: there is none. busy: too many
 * questions are open.
 */
export type ProviderFault = 'state' | 'denied' | 'invalid' | 'unreachable' | 'busy';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Where the provider sends a browser back to; registered there. */
export const CALLBACK_PATH = '/session/provider/callback';

/** Questions of browsers that are open at a time. */
const MAX_OPEN = 32;
const ANSWER_MS = 10_000;
const MAX_ANSWER_BYTES = 512 * 1024;
/** What the provider says of itself is asked for again after this time. */
const KNOWN_MS = 600_000;
/** OpenID Connect Core 1.0, section 2: at most 255 characters; the other texts are as bounded. */
const MAX_TEXT = 255;
const MAX_GROUPS = 1000;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** A message that a session has ended is not believed when it is older. */
const LOGOUT_SECONDS = 300;
const CLOCKS_DIFFER_SECONDS = 30;

type Known = {
  client: typeof import('openid-client');
  config: Configuration;
  keys: JWTVerifyGetKey;
};

/**
 * An OpenID provider: the authorization code flow with PKCE, state and nonce. All that must come
 * back unchanged is made of one secret that only the browser keeps, so nothing waits here for
 * browsers that never return. Throws ProviderError.
 */
export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  readonly #now: () => number;
  readonly #fetch: ReturnType<typeof boundedFetch>;
  #open = 0;
  #known: { asked: Promise<Known>; atMs: number } | undefined;

  constructor(settings: OpenIdSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
    this.#fetch = boundedFetch({
      ...{ withinMs: ANSWER_MS, maxBytes: MAX_ANSWER_BYTES },
      // The operator named its host; what that names is no reason to look inside the network.
      mayBePrivate: (host) => host === settings.issuer.hostname,
    });
  }

  /** Whether browsers come to the dashboard by TLS. */
  get isSecure(): boolean {
    return this.#settings.home.startsWith('https:');
  }

  /** Where a browser signs in. */
  start(seed: string): Promise<URL> {
    return this.#asking(async ({ client, config }) => {
      const { state, nonce, verifier } = secretsOf(seed);
      return client.buildAuthorizationUrl(config, {
        redirect_uri: this.#settings.home + CALLBACK_PATH,
        ...{ scope: this.#settings.scopes, state, nonce, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
      });
    });
  }

  /** Who came back with an answer, in the query of the address. */
  identify(query: URLSearchParams, seed: string): Promise<ProviderIdentity> {
    const { state, nonce, verifier } = secretsOf(seed);
    if (query.get('state') !== state)
      return Promise.reject(new ProviderError('state', 'the answer has another state'));
    return this.#asking(async ({ client, config }) => {
      const address = new URL(`${this.#settings.home}${CALLBACK_PATH}?${query}`);
      const tokens = await client.authorizationCodeGrant(config, address, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new ProviderError('invalid', 'there is no ID token');
      // Many providers say more there.
      const more = config.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        : {};
      return this.#identityOf({ ...claims, ...more });
    });
  }

  /** Where a browser signs out, if the provider has such a place. */
  end(): Promise<URL | undefined> {
    return this.#asking(async ({ client, config }) =>
      config.serverMetadata().end_session_endpoint === undefined
        ? undefined
        : client.buildEndSessionUrl(config, {
            post_logout_redirect_uri: `${this.#settings.home}/`,
          }),
    );
  }

  /** Reads a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
  readEnd(token: string): Promise<ProviderEnd> {
    return this.#asking(async ({ config, keys }) => {
      const { jwtVerify } = await import('jose');
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer: config.serverMetadata().issuer, audience: this.#settings.clientId },
        ...{ maxTokenAge: LOGOUT_SECONDS, clockTolerance: CLOCKS_DIFFER_SECONDS },
        ...{ requiredClaims: ['iat', 'jti', 'events'], currentDate: new Date(this.#now()) },
      });
      const session = textOf(payload.sid);
      const subject = textOf(payload.sub);
      const isEnd = typeof (payload.events as JWTPayload)?.[LOGOUT_EVENT] === 'object';
      if (!isEnd || payload.nonce !== undefined || (!session && !subject))
        throw new ProviderError('invalid', 'the token ends no session');
      return { session, subject };
    });
  }

  #identityOf(claims: Record<string, unknown>): ProviderIdentity {
    const { email, name, groups } = this.#settings.claims;
    const subject = textOf(claims.sub);
    if (!subject) throw new ProviderError('invalid', 'the name of the person is too long');
    // Of a claim that the operator chose, the operator knows whether it can be relied on.
    const isSure = email !== 'email' || claims.email_verified === true;
    const listed = [claims[groups]].flat().filter((group) => typeof group === 'string');
    return {
      ...{ subject, session: textOf(claims.sid) ?? '' },
      email: isSure ? textOf(claims[email])?.toLowerCase() : undefined,
      name: textOf(claims[name]),
      groups: listed.slice(0, MAX_GROUPS),
    };
  }

  async #asking<T>(work: (known: Known) => Promise<T>): Promise<T> {
    if (this.#open >= MAX_OPEN) throw new ProviderError('busy', `${MAX_OPEN} questions are open`);
    this.#open += 1;
    try {
      return await work(await this.#discover());
    } catch (error) {
      throw error instanceof ProviderError ? error : faultOf(error);
    } finally {
      this.#open -= 1;
    }
  }

  /** What the provider says of itself; those who ask at the same time share the question. */
  #discover(): Promise<Known> {
    const ageMs = this.#now() - (this.#known?.atMs ?? Number.NEGATIVE_INFINITY);
    if (this.#known && ageMs >= 0 && ageMs < KNOWN_MS) return this.#known.asked;
    const known = { asked: this.#ask(), atMs: this.#now() };
    this.#known = known;
    known.asked.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.asked;
  }

  /** Both libraries are loaded when used: a start is faster without them. */
  async #ask(): Promise<Known> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const [client, jose] = await Promise.all([import('openid-client'), import('jose')]);
    const config = await client.discovery(issuer, clientId, clientSecret, undefined, {
      [client.customFetch]: this.#fetch,
      timeout: ANSWER_MS / 1000,
      execute: [
        client.enableNonRepudiationChecks,
        // The settings allow it for a provider on this machine only.
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    });
    const { jwks_uri: address = '' } = config.serverMetadata();
    const keys = jose.createRemoteJWKSet(new URL(address), {
      [jose.customFetch]: (url, { headers }) =>
        this.#fetch(url, { headers: Object.fromEntries(headers) }),
      timeoutDuration: ANSWER_MS,
    });
    return { client, config, keys };
  }
}

/** Each 43 characters, as PKCE wants of its verifier. */
function secretsOf(seed: string): { state: string; nonce: string; verifier: string } {
  const of = (what: string): string => createHmac('sha256', seed).update(what).digest('base64url');
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') };
}

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.length > 0 && claim.length <= MAX_TEXT ? claim : undefined;

/** The libraries wrap errors. */
function faultOf(error: unknown): ProviderError {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    if (cause instanceof NoAnswer) return new ProviderError('unreachable', cause.message);
    cause = cause.cause;
  }
  const { name, code, message } = error as Error & { code?: string };
  const isDenied = name === 'AuthorizationResponseError';
  return new ProviderError(isDenied ? 'denied' : 'invalid', `${code ?? name}: ${message}`);
}
