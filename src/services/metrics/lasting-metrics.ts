import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import type { Money } from '../../domain/money.ts';
import type { OwnBytes } from '../../domain/own-bytes.ts';
import { SharedAnswers } from '../shared-answers.ts';

/**
 * The part of an account's statistics that stays unchanged until a deal, an hour or a day is added.
 */
export type LastingPart = {
  balance: Money;
  credit: Money;
  firstTradeTimeMs: BrokerTimeMs | undefined;
  trades: number;
  /** The answer's JSON except its first fields. */
  json: OwnBytes;
};

const MAX_BYTES = 32 * 1024 * 1024;

/** Versions of the data it was made from; undefined if these have changed since. */
export class LastingMetrics extends SharedAnswers<LastingPart | undefined> {
  /** Whole answers on parts of the trades, and tables. */
  readonly cuts = new SharedAnswers<OwnBytes | undefined>(MAX_BYTES, (json) => json?.length ?? 0);

  constructor() {
    super(MAX_BYTES, (part) => part?.json.length ?? 0);
  }
}
