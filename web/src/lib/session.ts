/** The token lives in this tab's session storage only; it is never part of an address. */
const KEY = 'plimsoll-token';

export type SignOutReason = 'asked' | 'refused';
export type SessionState = { token: string | undefined; reason?: SignOutReason };

let state: SessionState = { token: sessionStorage.getItem(KEY) ?? undefined };
const listeners = new Set<() => void>();

function change(next: SessionState): void {
  state = next;
  if (next.token) sessionStorage.setItem(KEY, next.token);
  else sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

export const readSession = (): SessionState => state;
export const signIn = (token: string): void => change({ token: token.trim() });
export const signOut = (reason: SignOutReason): void => change({ token: undefined, reason });

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes the token of a link that ends in `#token=…` and removes it from the address and history. */
export function takeTokenFromAddress(): void {
  const match = /^#token=([^&]+)/.exec(location.hash);
  if (!match?.[1]) return;
  history.replaceState(null, '', `${location.pathname}#/accounts`);
  signIn(decodeURIComponent(match[1]));
}
