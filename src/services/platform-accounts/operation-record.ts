import { createHash } from 'node:crypto';
import type { Transaction } from '../../storage/database.ts';
import {
  deletePlatformOperation,
  deletePlatformOperationsBefore,
  findPlatformOperation,
  findRivalOperation,
  insertPlatformOperation,
  type PlatformOperation,
  updatePlatformOperation,
} from '../../storage/platform-operation-store.ts';
import type { Profile } from '../../storage/profile-store.ts';
import { type AuditNote, actorOf, type Changed } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { conflict, unavailable } from '../errors.ts';
import {
  type Attempt,
  type Ending,
  OPERATION_KINDS,
  type Operation,
  type Told,
} from './operation.ts';

/** Longer than any gateway call: a request still marked after this died with its process. */
const UNDER_WAY_MS = 120_000;
const MAX_RETRY_AFTER_SECONDS = 5;

/** To be done, or done before with this answer. */
type Begun = { attempt: Attempt } | { result: string };

/** Stores and audits an operation before and after the call to the platform. */
export class OperationRecord {
  readonly #context: Context;
  readonly #principal: Principal;
  readonly #operation: Operation;
  readonly #requestId: string;

  constructor(context: Context, principal: Principal, operation: Operation) {
    this.#context = context;
    this.#principal = principal;
    this.#operation = operation;
    const { profile, idempotencyKey } = operation;
    // It follows from the key, so that it is equal even if its record was lost.
    this.#requestId =
      idempotencyKey === undefined ? context.newId() : requestIdOf(profile, idempotencyKey);
  }

  /**
   * Stores the intention, or finds its earlier outcome. Throws `conflict` for a key used with other
   * values, `unavailable` while a request with the key is running.
   */
  begin(): Promise<Begun> {
    const { kind, profile, login, input, takesOver } = this.#operation;
    const requestId = this.#requestId;
    const bodyHash = hashOf({ kind, login, ...input });
    return this.#change<Begun>(async (tx) => {
      await tx.lock(`platform-login:${profile.id}:${login ?? ''}`);
      await tx.lock(`platform-operation:${requestId}`);
      const nowMs = this.#context.now();
      await deletePlatformOperationsBefore(tx, nowMs);
      const known = await findPlatformOperation(tx, requestId);
      if (known && !takesOver) requireSame(known, bodyHash, nowMs);
      if (known && known.result !== null)
        return { result: { result: known.result }, audit: 'unchanged' };
      await this.#requireAlone(tx, nowMs);
      const underWayUntilMs = nowMs + UNDER_WAY_MS;
      if (known) await updatePlatformOperation(tx, requestId, { underWayUntilMs, result: null });
      else
        await insertPlatformOperation(tx, {
          ...{ requestId, profileId: profile.id, login: login ?? null, kind, bodyHash },
          ...{ underWayUntilMs, result: null, createdAtMs: nowMs },
          keptUntilMs: nowMs + OPERATION_KINDS[kind].keptMs,
        });
      const firstSentMs = known?.createdAtMs ?? nowMs;
      const attempt = { requestId, repeated: known !== undefined, firstSentMs };
      return { result: { attempt }, audit: [this.#note('started', {})] };
    });
  }

  /** Stores the outcome. Never fails: what happened on the platform has happened. */
  async end({ word, details, result, settleMs, isForgotten }: Ending): Promise<void> {
    const { now, logger } = this.#context;
    const requestId = this.#requestId;
    const underWayUntilMs = settleMs ? now() + settleMs : 0;
    try {
      await this.#change(async (tx) => {
        if (isForgotten) await deletePlatformOperation(tx, requestId);
        else
          await updatePlatformOperation(tx, requestId, { underWayUntilMs, result: result ?? null });
        return { result: undefined, audit: [this.#note(word, details)] };
      });
    } catch (error) {
      const subject = { err: error, profileId: this.#operation.profile.id, requestId, word };
      logger.error(subject, 'the outcome of a platform operation was not recorded');
    }
  }

  async #requireAlone(tx: Transaction, nowMs: number): Promise<void> {
    const { kind, profile, login } = this.#operation;
    if (!OPERATION_KINDS[kind].isAlone || login === undefined) return;
    const asked = { profileId: profile.id, login, kind, requestId: this.#requestId };
    const rival = { ...asked, nowMs, maxMs: UNDER_WAY_MS };
    if (await findRivalOperation(tx, rival))
      throw unavailable('Another change to this account is in progress: try again later', 1);
  }

  #change<T>(work: (tx: Transaction) => Promise<Changed<T>>): Promise<T> {
    return this.#context.changes.make(actorOf(this.#principal), work);
  }

  #note(word: 'started' | Ending['word'], details: Told): AuditNote {
    const { kind, profile, login, details: asked } = this.#operation;
    const requestId = this.#requestId;
    const subject = login === undefined ? {} : { login: String(login) };
    return {
      action: `platform.${kind}.${word}`,
      userId: profile.userId,
      details: { profileId: profile.id, requestId, ...subject, ...asked, ...details },
    };
  }
}

/**
 * For an operation with this key that is known to have been given up: it no longer blocks the login
 * for others. False if none was begun.
 */
export const giveUpOperation = (
  { changes }: Pick<Context, 'changes'>,
  profile: Profile,
  idempotencyKey: string,
): Promise<boolean> =>
  changes.record((tx) =>
    updatePlatformOperation(tx, requestIdOf(profile, idempotencyKey), {
      ...{ underWayUntilMs: 0, result: null },
    }),
  );

const requestIdOf = ({ id }: Profile, idempotencyKey: string): string =>
  hashOf({ profileId: id, idempotencyKey }).slice(0, 32);

function requireSame(known: PlatformOperation, bodyHash: string, nowMs: number): void {
  if (known.bodyHash !== bodyHash)
    throw conflict('This Idempotency-Key was used with other values: use a new key');
  const leftMs = known.underWayUntilMs - nowMs;
  // An impossibly late end was noted by a clock that was ahead.
  if (leftMs > 0 && leftMs <= UNDER_WAY_MS)
    throw unavailable(
      'A request with this Idempotency-Key is in progress, or may still take effect: try again later',
      Math.min(Math.ceil(leftMs / 1000), MAX_RETRY_AFTER_SECONDS),
    );
}

const hashOf = (fields: object): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
