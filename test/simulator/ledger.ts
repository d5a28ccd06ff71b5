import type { SentRow } from './desk.ts';

/** A request that wrote something, as known to its sender. */
export type Write = {
  userId: string;
  what: string;
  rows: readonly SentRow[];
  deals: readonly { accountId: string; id: string }[];
  /** Sent repeatedly, it counts once. */
  hasKey: boolean;
  attempts: number;
  fromMs: number;
  /** When it was answered; undefined while unknown. */
  untilMs: number | undefined;
  outcome: 'acknowledged' | 'refused' | 'unknown';
  late: number | undefined;
};

/** A reader's current answer about an account. */
export type LiveAnswer = {
  accountNumber: number;
  fromMs: number;
  lastTimeMs: number | undefined;
  balance: number | undefined;
  equity: number | undefined;
};

/** The events received by a follower of the feed. */
export type PolledEvent = {
  sequenceNumber: number;
  record: string;
  /** When the poll was sent that it answers. */
  askedMs: number;
};

export type Poller = {
  name: string;
  userId: string;
  /** Only this account's events; all of the user if absent. */
  accountId: string | undefined;
  seen: PolledEvent[];
};

export type Deletion = { userId: string; accountId: string; fromMs: number; untilMs: number };

/** The memory of all clients of a run. */
export class Ledger {
  readonly writes: Write[] = [];
  readonly answers: LiveAnswer[] = [];
  readonly pollers: Poller[] = [];
  /** A clock was days ahead: by it, keys are old that have just been used. */
  areKeysForgotten = false;
  readonly trackers: { userId: string; accountId: string; id: string }[] = [];
  readonly enrolments: { userId: string; accountId: string; id: string }[] = [];
  /** Numbers that webhooks were sent, by user, in order. */
  readonly posted = new Map<string, number[]>();
}
