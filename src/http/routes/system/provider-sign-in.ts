import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Counter } from 'prom-client';
import { invalidParameter, tooMany } from '../../../services/errors.ts';
import type { SessionContext } from '../../../services/sessions/credentials.ts';
import {
  CALLBACK_PATH,
  endByProvider,
  ProviderError,
  type ProviderRules,
  SignInRefused,
  signInByProvider,
} from '../../../services/sessions/provider-sign-in.ts';
import type { SignInRefusal } from '../../../words/service.ts';
import { addressKey, Rate } from '../../rate-limits.ts';
import { readCookie, requireOwnPage, sendCookie, writeCookie } from '../../session-cookie.ts';

const PATH = '/session/provider';
const COOKIE = 'plimsoll-sign-in';
const SEED_BYTES = 32;
/** How long one may take at the provider. */
const SIGN_IN_SECONDS = 600;
/** A sign-in takes two. */
const STEPS_PER_MINUTE = 120;
const MAX_LOGOUT_BYTES = 16 * 1024;
const OPEN = { config: { open: true }, helmet: false } as const;
/** Answers are for one browser, and are no pages. */
const PRIVATE = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/**
 * Signing in and out at an OpenID provider. These are no operations: browsers are sent here and
 * away again, and the provider tells of sessions that have ended.
 */
export function registerProviderSignIn(
  server: FastifyInstance,
  context: SessionContext,
  rules: ProviderRules,
  signIns: Counter<'outcome'>,
): void {
  const { provider } = rules;
  const steps = new Rate(STEPS_PER_MINUTE);
  const refused = (reply: FastifyReply, error: unknown): FastifyReply => {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const { message } = error as Error;
    context.logger.warn({ reason, message }, 'a sign-in at the provider led to no session');
    signIns.inc({ outcome: 'refused' });
    return go(reply, `/#refused=${reason}`);
  };
  /** Whether the address may take a step; it is counted. */
  const mayStep = ({ ip }: FastifyRequest): boolean => {
    const key = addressKey(ip);
    if (steps.waitSeconds(key) > 0) return false;
    steps.count(key);
    return true;
  };

  server.get(PATH, OPEN, async (request, reply) => {
    requireOwnPage(request);
    if (!mayStep(request)) return refused(reply, new SignInRefused('busy'));
    const seed = randomBytes(SEED_BYTES).toString('base64url');
    try {
      const address = await provider.start(seed);
      keepSeed(request, reply, seed);
      return go(reply, address.href);
    } catch (error) {
      return refused(reply, error);
    }
  });

  server.get(CALLBACK_PATH, OPEN, async (request, reply) => {
    const seed = readCookie(request, COOKIE);
    keepSeed(request, reply, '');
    try {
      if (!mayStep(request)) throw new SignInRefused('busy');
      if (!seed) throw new SignInRefused('state');
      const { searchParams } = new URL(request.url, 'http://localhost');
      const identity = await provider.identify(searchParams, seed);
      const browser = { address: request.ip, device: request.headers['user-agent'] };
      const secret = await signInByProvider(context, rules, identity, browser);
      sendCookie(request, reply, secret, provider.isSecure);
      signIns.inc({ outcome: 'started' });
      return go(reply, '/#signed-in');
    } catch (error) {
      return refused(reply, error);
    }
  });

  server.get(`${PATH}/end`, OPEN, async (request, reply) => {
    requireOwnPage(request);
    // Here the session has ended already: without an answer of the provider, that is all.
    const address = mayStep(request) ? await provider.end().catch(() => undefined) : undefined;
    return go(reply, address?.href ?? '/');
  });

  const told = { ...OPEN, bodyLimit: MAX_LOGOUT_BYTES };
  server.post(`${PATH}/logout`, told, async (request, reply) => {
    const waitSeconds = steps.waitSeconds(addressKey(request.ip));
    if (waitSeconds > 0)
      throw tooMany('Too many tokens from your address do not hold', waitSeconds);
    const body = request.body instanceof Buffer ? request.body.toString() : '';
    const token = new URLSearchParams(body).get('logout_token') ?? '';
    try {
      await endByProvider(context, rules, await provider.readEnd(token));
    } catch (error) {
      if (reasonOf(error) === undefined) throw error;
      steps.count(addressKey(request.ip));
      const { message } = error as Error;
      context.logger.warn({ message }, 'a logout token of the provider was refused');
      throw invalidParameter('logout_token', 'must be a logout token of the provider');
    }
    return reply.headers(PRIVATE).send();
  });

  /** Sent back with the answer of the provider, which is a page of another site. */
  const keepSeed = (request: FastifyRequest, reply: FastifyReply, seed: string): void =>
    writeCookie(request, reply, {
      ...{ name: COOKIE, value: seed, sameSite: 'Lax' },
      ...{ seconds: seed === '' ? 0 : SIGN_IN_SECONDS, isSecure: provider.isSecure },
    });
}

const go = (reply: FastifyReply, to: string): FastifyReply =>
  reply.headers(PRIVATE).redirect(to, 303);

function reasonOf(error: unknown): SignInRefusal | undefined {
  if (error instanceof SignInRefused) return error.reason;
  return error instanceof ProviderError ? error.fault : undefined;
}
