/**
 * The token lives in the session storage of each tab, and is never part of an address. Tabs of one
 * browser share it: a new one gets it from the one used last, and signing out signs out of all.
 */
const KEY = 'plimsoll-token';
/** The token of a link, until it is known whether somebody is signed in. */
const LINK_KEY = 'plimsoll-link';
/** Other tabs answer within some milliseconds, or not at all. */
const ANSWER_MS = 150;

export type SignOutReason = 'asked' | 'refused';
export type SessionState = {
  token: string | undefined;
  reason?: SignOutReason;
  /** The other token of a link that was opened: it takes over only if the user says so. */
  offered?: string;
};

type Message =
  | { kind: 'asked' }
  | { kind: 'told'; token: string; usedAtMs: number }
  | { kind: 'signed-out' };

let state: SessionState = { token: sessionStorage.getItem(KEY) ?? undefined };
let usedAtMs = 0;
let isAsking = false;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel('plimsoll-session');

function change(next: SessionState): void {
  state = next;
  if (next.token) sessionStorage.setItem(KEY, next.token);
  else sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

export const readSession = (): SessionState => state;
export const signIn = (token: string): void => change({ token: token.trim() });

export function signOut(reason: SignOutReason): void {
  // Nobody is signed in any more whom the link would replace.
  if (reason === 'refused' && state.offered) signIn(state.offered);
  else change({ token: undefined, reason });
  if (reason === 'asked') send({ kind: 'signed-out' });
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const send = (message: Message): void => tabs.postMessage(message);

tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'asked' && state.token) send({ kind: 'told', token: state.token, usedAtMs });
  if (data.kind === 'signed-out' && state.token) change({ token: undefined, reason: 'asked' });
  // A late answer still signs in users who have not chosen otherwise.
  const isOpen = !isAsking && !state.token && state.reason === undefined;
  if (data.kind === 'told' && isOpen) signIn(data.token);
});
addEventListener('blur', () => {
  usedAtMs = Date.now();
});

/** Takes the token from the tab used last, if any is signed in. */
export async function askOtherTabs(): Promise<void> {
  if (state.token) return;
  const answers: Extract<Message, { kind: 'told' }>[] = [];
  const hear = ({ data }: MessageEvent<Message>): void => {
    if (data.kind === 'told') answers.push(data);
  };
  tabs.addEventListener('message', hear);
  isAsking = true;
  send({ kind: 'asked' });
  await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
  tabs.removeEventListener('message', hear);
  isAsking = false;
  const newest = answers.sort((a, b) => b.usedAtMs - a.usedAtMs)[0];
  if (newest && !state.token) signIn(newest.token);
}

/** Takes the token of a link that ends in `#token=…`, and removes it from address and history. */
export function takeTokenOfAddress(): string | undefined {
  const [, linked] = /^#token=([^&]+)/.exec(location.hash) ?? [];
  if (linked === undefined) return sessionStorage.getItem(LINK_KEY) ?? undefined;
  history.replaceState(null, '', `${location.pathname}#/accounts`);
  const token = decoded(linked);
  // A page that is left while it still asks other tabs must not lose it.
  sessionStorage.setItem(LINK_KEY, token);
  return token;
}

function decoded(linked: string): string {
  try {
    return decodeURIComponent(linked);
  } catch {
    // It is no token of ours, and will be refused as such.
    return linked;
  }
}

/** Signs in with the token of a link; asks first if somebody is signed in with another. */
export function signInByLink(token: string | undefined): void {
  sessionStorage.removeItem(LINK_KEY);
  if (token === undefined || token === state.token) return;
  if (state.token === undefined) signIn(token);
  else change({ token: state.token, offered: token });
}

export const keepSession = (): void => change({ token: state.token });
