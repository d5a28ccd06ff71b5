import type { OperationDetails } from '../../contract/audit-details.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import type { Gateway } from '../../platforms/gateway.ts';
import type { Profile } from '../../storage/profile-store.ts';

/**
 * How long the key of each kind of operation is remembered, and how its requests are separated.
 * `settleMs`: a request sent before a connection broke may take effect until then, so it is not
 * repeated earlier. `isAlone`: an account takes one at a time, because whole records are read and
 * written.
 */
export const OPERATION_KINDS = {
  'open-account': { keptMs: DAY_MS, settleMs: 5_000, isAlone: false },
  'change-account': { keptMs: DAY_MS, settleMs: 0, isAlone: true },
  'set-password': { keptMs: DAY_MS, settleMs: 0, isAlone: false },
  'balance-operation': { keptMs: 90 * DAY_MS, settleMs: 5_000, isAlone: false },
  'close-positions': { keptMs: DAY_MS, settleMs: 0, isAlone: false },
} as const;

/** A request to a platform: done once, however often the key is sent. */
export type Operation = {
  kind: keyof typeof OPERATION_KINDS;
  profile: Profile;
  /** Undefined if the platform assigns the login. */
  login?: number | undefined;
  idempotencyKey: string | undefined;
  /** The caller knows that a still marked request with the key was given up. */
  takesOver?: boolean;
  /** A key must always come with the same input. No secrets: a hash of it is stored. */
  input: object;
  /** For the audit. No secrets, no personal data. */
  details: Asked;
};

/** What the audit says beside which operation it is. */
export type Asked = Omit<OperationDetails, 'profileId' | 'requestId' | 'login'>;
export type Told = Partial<OperationDetails>;

/** The steps of an operation. */
export type OperationWork<T extends object> = {
  /** Calls the platform. Throws PlatformError, or ServiceError before anything was done. */
  run: (gateway: Gateway, attempt: Attempt) => Promise<T>;
  /** The audit's note of the outcome. */
  note: (outcome: T) => Told;
  /**
   * Whether the outcome is stored as the answer to repeated requests. False if it holds secrets:
   * then the platform is called again.
   */
  isKept: boolean;
};

export type Attempt = {
  /** Identifies the operation on the platform. */
  requestId: string;
  /** It was tried before, with an unknown outcome. */
  repeated: boolean;
  firstSentMs: number;
};

export type Ending = {
  word: 'done' | 'failed' | 'unknown';
  details: Told;
  /** The answer to a repeated request as JSON. */
  result?: string | null;
  /** How long a repeated request has to wait. */
  settleMs?: number;
  /** The key may be used for other values. */
  isForgotten?: boolean;
};
