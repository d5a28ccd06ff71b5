import type { Release } from '../../claims/claims.ts';
import { growingPause } from '../../domain/growing-pause.ts';
import type { Changed } from '../../services/changes.ts';
import type { Context } from '../../services/context.ts';
import {
  type BreachAction,
  MAX_ACTION_PAUSE_MS,
  settleAction,
  startedAtMs,
} from '../../storage/breach-action-store.ts';
import { incidentKey, noteChanges } from '../../storage/change-store.ts';
import type { Transaction } from '../../storage/database.ts';
import { addIncidentEntry, reopenEvents } from '../../storage/incident-store.ts';
import type { BreachActionState } from '../../words/actions.ts';
import type { AttemptOutcome, HeldAction } from './attempt-action.ts';

/** With the pauses below: about five minutes. */
const MAX_ATTEMPTS = 12;
const PAUSE = { firstMs: 500, maxMs: MAX_ACTION_PAUSE_MS };

const AUTHOR = 'Breach action';
const ACTOR = { actor: 'breach-action', tokenId: null };

/**
 * Stores the outcome of an attempt if the action is still held: in its record and, once it is over,
 * in the audit and the incident's entries. An action that needs a person reopens the incident.
 * Returns the milliseconds from the event to the confirmation, if the action is done.
 */
export async function settleAttempt(
  { changes, claims, now, random }: Pick<Context, 'changes' | 'claims' | 'now' | 'random'>,
  { action, claim, accountId, login }: HeldAction,
  outcome: AttemptOutcome,
): Promise<number | undefined> {
  const endedAtMs = now();
  const { state, message } = stateAfter(action, outcome);
  const isOver = state !== 'waiting';
  const tookMs = Math.max(0, endedAtMs - startedAtMs(action));
  const start = action.moment === 'reset' ? 'reset' : 'event';
  const after = `confirmed ${tookMs} ms after the ${start}`;
  const words = state === 'done' ? `${message}, ${after}` : message;
  const settle = async (
    tx: Transaction,
    release: Release,
  ): Promise<Changed<number | undefined>> => {
    if (!(await release(tx))) return { result: undefined, audit: 'unchanged' };
    const pauseMs = growingPause(action.attempts, PAUSE, random());
    const isSettled = await settleAction(tx, action, {
      ...{ state, message: words, endedAtMs: isOver ? endedAtMs : null },
      isFound: outcome.isFound ?? false,
      attempts: outcome.word === 'held back' ? action.attempts - 1 : action.attempts,
      dueAtMs: outcome.word === 'again' ? Math.round(endedAtMs + pauseMs) : 0,
    });
    if (!isSettled || !isOver) return { result: undefined, audit: 'unchanged' };
    const place = { accountNumber: action.accountNumber, timeMs: action.timeMs };
    const entry = { ...place, atMs: endedAtMs, author: AUTHOR };
    const told = `${action.action}: ${words}`;
    await addIncidentEntry(tx, { ...entry, kind: 'noted', words: told });
    if (state === 'escalated' && (await reopenEvents(tx, place))) {
      await addIncidentEntry(tx, { ...entry, kind: 'reopened', words: null });
    }
    noteChanges(tx, 'incident', [incidentKey(action.accountNumber, action.timeMs)]);
    const about = { breachActionId: action.id, trackerId: action.trackerId, login };
    const details = { ...about, action: action.action, attempts: action.attempts, message: words };
    return {
      result: state === 'done' ? tookMs : undefined,
      audit: [
        {
          action: `breach-action.${state}`,
          ...{ userId: action.userId, accountId, details },
        },
      ],
    };
  };
  return claims.releasing(claim, (release) => changes.make(ACTOR, (tx) => settle(tx, release)));
}

function stateAfter(
  { attempts }: BreachAction,
  { word, message }: AttemptOutcome,
): { state: Exclude<BreachActionState, 'running'>; message: string } {
  if (word === 'held back') return { state: 'waiting', message };
  if (word !== 'again') return { state: word, message };
  if (attempts < MAX_ATTEMPTS) return { state: 'waiting', message };
  return { state: 'escalated', message: `Given up after ${attempts} attempts: ${message}` };
}
