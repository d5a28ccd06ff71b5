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
import { type AuditNote, actorOf, type Changed } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { conflict, unavailable } from '../errors.ts';
import { type Attempt, type Ending, OPERATION_KINDS, type Operation } from './operation.ts';

/** Longer than a gateway takes: after it a request that is still marked died with its process. */
const UNDER_WAY_MS = 120_000;
const MAX_RETRY_AFTER_SECONDS = 5;

/** To be done, or done before with this answer. */
type Begun = { attempt: Attempt } | { result: string };

/** What is stored of an operation, and audited with it, before and after the platform is asked. */
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
    // Follows from the key, so that it is the same again even where the record of it was lost.
    this.#requestId =
      idempotencyKey === undefined
        ? context.newId()
        : hashOf({ profileId: profile.id, idempotencyKey }).slice(0, 32);
  }

  /**
   * Stores the intention, or finds what came of it before. Throws `conflict` for a key that came
   * with other values, `unavailable` while a request with the key is under way.
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

  /** Stores how it ended. Never fails: what happened on the platform happened. */
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

  #note(word: string, details: Record<string, unknown>): AuditNote {
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

function requireSame(known: PlatformOperation, bodyHash: string, nowMs: number): void {
  if (known.bodyHash !== bodyHash)
    throw conflict('This Idempotency-Key was used with other values: use a new key');
  const leftMs = known.underWayUntilMs - nowMs;
  // One that ends later than any can was noted by a clock that was ahead.
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
