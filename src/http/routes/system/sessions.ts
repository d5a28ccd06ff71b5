import type { FastifyInstance } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import {
  createSignInCodeOperation,
  endSessionOperation,
  endSessionsOperation,
  listSessionsOperation,
  MAX_SESSION_PAGE,
  type ProviderPart,
  readSessionOperation,
  readSignInOperation,
  signInOperation,
} from '../../../contract/operations/sessions.ts';
import type { Principal } from '../../../services/context.ts';
import { ServiceError } from '../../../services/errors.ts';
import { makerOf, type SessionContext } from '../../../services/sessions/credentials.ts';
import {
  endSession,
  endSessions,
  listOwnSessions,
  presentSession,
} from '../../../services/sessions/own-sessions.ts';
import { isByProvider, type ProviderRules } from '../../../services/sessions/provider-sign-in.ts';
import { signIn } from '../../../services/sessions/sign-in.ts';
import { createSignInCode } from '../../../services/sessions/sign-in-codes.ts';
import { makerName, readCurrentToken } from '../../../services/users/read-current-token.ts';
import { addRoute } from '../../add-route.ts';
import { sendPage } from '../../send-page.ts';
import { presentedBy, requireOwnPage, sendCookie } from '../../session-cookie.ts';
import { registerProviderSignIn } from './provider-sign-in.ts';

/** Signing in and out, and what is signed in. */
export function registerSessions(
  server: FastifyInstance,
  context: SessionContext,
  metrics: Registry,
  rules?: ProviderRules,
): void {
  const signIns = new Counter({
    name: 'plimsoll_sign_ins_total',
    help: 'Attempts to sign a browser in, by outcome: started, refused',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  if (rules) registerProviderSignIn(server, context, rules, signIns);
  addRoute(server, readSessionOperation, async ({ request }) => {
    requireOwnPage(request);
    const { session, address } = presentedBy(request);
    const principal = await unlessRefused(server.authenticate({ session, address }));
    const isUsed = principal !== undefined && (await isByProvider(context, principal));
    const provider: ProviderPart = isUsed ? 'used' : 'offered';
    return {
      ...(principal ? { current: await readCurrentToken(context, principal) } : {}),
      ...(rules ? { provider } : {}),
    };
  });
  addRoute(server, readSignInOperation, async ({ request, body }) => {
    requireOwnPage(request);
    const { maker } = await makerOf(context, body, request.ip);
    return { id: maker.id, ...(await makerName(context, maker)) };
  });
  addRoute(server, signInOperation, async ({ request, reply, body }) => {
    requireOwnPage(request);
    const browser = { address: request.ip, device: request.headers['user-agent'] };
    const secret = await signIn(context, body, browser).catch((error: unknown) => {
      signIns.inc({ outcome: 'refused' });
      throw error;
    });
    signIns.inc({ outcome: 'started' });
    sendCookie(request, reply, secret);
    const principal = await server.authenticate({ session: secret, address: request.ip });
    return readCurrentToken(context, principal);
  });
  addRoute(server, createSignInCodeOperation, ({ principal }) =>
    createSignInCode(context, principal),
  );
  addRoute(server, listSessionsOperation, async ({ principal, query, ...call }) =>
    sendPage(
      call,
      await listOwnSessions(context, principal, { limit: MAX_SESSION_PAGE, ...query }),
      presentSession(principal),
    ),
  );
  addRoute(server, endSessionOperation, async ({ principal, params, request, reply }) => {
    if (await endSession(context, principal, params.id)) sendCookie(request, reply, '');
  });
  addRoute(server, endSessionsOperation, async ({ principal, request, reply }) => {
    await endSessions(context, principal);
    if (principal.from !== undefined) sendCookie(request, reply, '');
  });
}

const unlessRefused = (asked: Promise<Principal>): Promise<Principal | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'unauthorized') return undefined;
    throw error;
  });
