import type { Static } from 'typebox';
import type {
  readSessionOperation,
  readSignInOperation,
} from '../../../src/contract/operations/sessions.ts';
import type { currentToken } from '../../../src/contract/operations/system.ts';
import { SIGN_IN_REFUSALS, type SignInRefusal } from '../../../src/words/service.ts';

/**
 * The session is in a cookie that no script can read, shared by the tabs of a browser: this knows
 * only whose it is. Tabs tell each other when it changes.
 */
type Current = Static<typeof currentToken>;
type Session = Static<(typeof readSessionOperation)['response'][200]>;
type Preview = Static<(typeof readSignInOperation)['response'][200]>;

/** What a link brings, or a person pastes. */
export type SignIn = { token: string } | { code: string };
/** What an address ends in: a sign-in, or how one at the provider ended. */
type Linked = SignIn | { isSignedIn: true } | { refused: string };
/** By request; because the session has ended; or what went wrong. */
export type SignOutReason = 'asked' | 'ended' | Error;
/** Who a link would sign in: that happens only if the user says so. */
export type Offered = { by: SignIn; name: string } | { problem: string };
export type SessionState = {
  /** Undefined: nobody is signed in. */
  id: string | undefined;
  /** Of the token that the session is from. */
  from?: string;
  reason?: SignOutReason;
  offered?: Offered;
  /** Whether the session began at an OpenID provider, or could. */
  provider?: Session['provider'];
};

type Message = 'changed' | 'signed-out';

let state: SessionState = { id: undefined };
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel('plimsoll-session');

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

const stateOf = (current: Current | undefined, provider: Session['provider']): SessionState => ({
  ...(current?.sessionId === undefined
    ? { id: undefined }
    : { id: current.sessionId, from: current.id }),
  ...(provider === undefined ? {} : { provider }),
});

/** Without a session that began there. */
const offering = (): SessionState['provider'] => state.provider && 'offered';

export const readSession = (): SessionState => state;

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const tell = (message: Message): void => tabs.postMessage(message);

tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data === 'changed') void reread();
  else if (state.id !== undefined) change({ ...stateOf(undefined, offering()), reason: 'asked' });
});

/** The words of a refusal are the server's own. */
async function ask<Result>(method: string, path: string, body?: object): Promise<Result> {
  const init = body && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  };
  // A page that is left meanwhile must not lose a code that is spent.
  const response = await fetch(path, { method, keepalive: true, ...init }).catch(() => undefined);
  const text = (await response?.text().catch(() => '')) ?? '';
  if (response?.ok) return (text === '' ? undefined : JSON.parse(text)) as Result;
  const said = response?.status === 401 ? REFUSED : 'Plimsoll does not answer: try again.';
  throw new Error(said);
}

const REFUSED = 'It was refused: it is wrong, was used, has ended or was revoked.';

async function reread(): Promise<void> {
  const { current, provider } = await ask<Session>('GET', '/session');
  change(stateOf(current, provider));
}

/** Finds the running session, then opens a link. */
export async function beginSession(linked: Linked | undefined): Promise<void> {
  try {
    await reread();
  } catch (error) {
    change({ id: undefined, reason: error as Error });
  }
  await openLink(linked);
}

/** Exchanges a token or code for a session. Rejects with the reason. */
export async function signIn(by: SignIn): Promise<void> {
  change(stateOf(await ask<Current>('POST', '/session', by), offering()));
  tell('changed');
}

export async function signOut(reason: 'asked' | 'ended'): Promise<void> {
  const { id, offered, provider } = state;
  if (reason === 'ended' && id === undefined) return;
  // Nobody is signed in any more whom the link would replace.
  if (reason === 'ended' && offered && 'by' in offered) return enter(offered.by);
  if (reason === 'asked') {
    await ask('DELETE', '/users/current/sessions/current').catch(() => undefined);
    tell('signed-out');
    // Otherwise the next click would sign the same person in again.
    if (provider === 'used') return location.assign('/session/provider/end');
  }
  change({ ...stateOf(undefined, offering()), reason });
}

/** Signs in by a link, asking first if somebody is signed in; or tells what a provider said. */
export async function openLink(by: Linked | undefined): Promise<void> {
  if (!by) return;
  if ('isSignedIn' in by) return tell('changed');
  if ('refused' in by) return tellRefusal(SIGN_IN_REFUSALS[by.refused as SignInRefusal]);
  if (state.id === undefined) return enter(by);
  try {
    const { id, name = 'the operator' } = await ask<Preview>('POST', '/session/preview', by);
    if (id !== state.from) change({ ...state, offered: { by, name } });
  } catch (error) {
    change({ ...state, offered: { problem: (error as Error).message } });
  }
}

function tellRefusal(said = 'Nobody was signed in.'): void {
  if (state.id !== undefined) change({ ...state, offered: { problem: said } });
  else change({ ...state, reason: new Error(said) });
}

async function enter(by: SignIn): Promise<void> {
  await signIn(by).catch((error: Error) =>
    change({ ...stateOf(undefined, offering()), reason: error }),
  );
}

export function keepSession(): void {
  const { offered: _, ...rest } = state;
  change(rest);
}

/**
 * Takes what an address ends in, `#code=…`, `#token=…`, `#refused=…` or `#signed-in`, and removes
 * it from address and history.
 */
export function takeLink(): Linked | undefined {
  const [, kind, linked = ''] =
    /^#(token|code|refused|signed-in)(?:=([^&]*))?/.exec(location.hash) ?? [];
  if (kind === undefined) return undefined;
  history.replaceState(null, '', `${location.pathname}#/accounts`);
  if (kind === 'signed-in') return { isSignedIn: true };
  const text = decoded(linked);
  if (kind === 'refused') return { refused: text };
  return kind === 'code' ? { code: text } : { token: text };
}

function decoded(linked: string): string {
  try {
    return decodeURIComponent(linked);
  } catch {
    // It is none of ours, and will be refused as such.
    return linked;
  }
}
