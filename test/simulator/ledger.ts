import type { SentRow } from './desk.ts';

/** A request that wrote something, as who sent it knows it. */
export type Write = {
  userId: string;
  what: string;
  rows: readonly SentRow[];
  deals: readonly { accountId: string; id: string }[];
  /** Sent again and again, it counts once. */
  hasKey: boolean;
  attempts: number;
  fromMs: number;
  /** When it was answered; undefined while nobody knows. */
  untilMs: number | undefined;
  outcome: 'acknowledged' | 'refused' | 'unknown';
  late: number | undefined;
};

/** What a reader was told of an account that it asked for as of this moment. */
export type LiveAnswer = {
  accountNumber: number;
  fromMs: number;
  lastTimeMs: number | undefined;
  balance: number | undefined;
  equity: number | undefined;
};

/** What somebody who follows the feed was told. */
export type PolledEvent = {
  sequenceNumber: number;
  record: string;
  /** When the poll was sent that it answers. */
  askedMs: number;
};

export type Poller = {
  name: string;
  userId: string;
  /** Whose events alone; all of the user where it is absent. */
  accountId: string | undefined;
  seen: PolledEvent[];
};

export type Deletion = { userId: string; accountId: string; fromMs: number; untilMs: number };

/** All that the clients of a run remember. */
export class Ledger {
  readonly writes: Write[] = [];
  readonly answers: LiveAnswer[] = [];
  readonly pollers: Poller[] = [];
  /** A clock was days ahead: by it, keys are old that have just been used. */
  areKeysForgotten = false;
  readonly trackers: { userId: string; accountId: string; id: string }[] = [];
  /** Numbers that webhooks were sent, by user, in order. */
  readonly posted = new Map<string, number[]>();
}
