import { useSyncExternalStore } from 'react';

/**
 * Whether figures still come in. `lost`: no answer; `unready`: Plimsoll answers that it can't
 * serve, and why. Every answer of the API counts as a sign of life; after a while without one, its
 * readiness is checked.
 */
export type Connection = {
  state: 'up' | 'lost' | 'unready';
  /** Time of the last good answer. */
  answeredAtMs: number;
  message?: string;
};

/** With both, a missing server shows within five seconds. */
const PROBE_EVERY_MS = 2_000;
const PROBE_TIMEOUT_MS = 2_000;

let connection: Connection = { state: 'up', answeredAtMs: Date.now() };
const listeners = new Set<() => void>();
let isProbing = false;

function change(next: Connection): void {
  const isSame = next.state === connection.state && next.message === connection.message;
  connection = next;
  if (!isSame) for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same object until its state changes. */
export const useConnection = (): Connection => {
  useSyncExternalStore(subscribe, () => `${connection.state} ${connection.message ?? ''}`);
  return connection;
};

/** Called when figures come in again. */
export function onReconnect(heard: () => void): () => void {
  let before = connection.state;
  return subscribe(() => {
    if (before !== 'up' && connection.state === 'up') heard();
    before = connection.state;
  });
}

/** A success is a sign of life, unless readiness has said otherwise. */
export function noteAnswer(): void {
  if (connection.state === 'unready') return;
  change({ state: 'up', answeredAtMs: Date.now() });
}

/** An unanswered request: whether that was chance is checked at once. */
export const noteSilence = (): void => void probe();

async function probe(): Promise<void> {
  if (isProbing) return;
  isProbing = true;
  const { answeredAtMs } = connection;
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch('/health/ready', { signal, cache: 'no-store' });
    // Of good answers, too: an unread body occupies one of the browser's few connections.
    const message = await messageOf(response);
    if (response.ok) change({ state: 'up', answeredAtMs: Date.now() });
    else change({ state: 'unready', answeredAtMs, message });
  } catch {
    // Otherwise another request was answered in the meantime.
    if (connection.answeredAtMs === answeredAtMs) change({ state: 'lost', answeredAtMs });
  } finally {
    isProbing = false;
  }
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return String((JSON.parse(text) as { message?: unknown }).message ?? response.status);
  } catch {
    return `It answers ${response.status}`;
  }
}

/** Watches until the returned function is called. */
export function watchConnection(): () => void {
  const timer = setInterval(() => {
    const isQuiet = Date.now() - connection.answeredAtMs >= PROBE_EVERY_MS;
    if (connection.state !== 'up' || isQuiet) void probe();
  }, PROBE_EVERY_MS / 2);
  const wake = (): void => void probe();
  addEventListener('online', wake);
  addEventListener('offline', wake);
  document.addEventListener('visibilitychange', wake);
  return () => {
    clearInterval(timer);
    removeEventListener('online', wake);
    removeEventListener('offline', wake);
    document.removeEventListener('visibilitychange', wake);
  };
}
