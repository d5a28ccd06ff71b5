import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import type { Money } from '../../domain/money.ts';
import { SharedAnswers } from '../shared-answers.ts';

/** What of an account's statistics is the same until a deal, an hour or a day is added. */
export type LastingPart = {
  balance: Money;
  credit: Money;
  firstTradeTimeMs: BrokerTimeMs | undefined;
  trades: number;
  /** The answer's JSON but for its first fields. */
  json: Buffer;
};

const MAX_BYTES = 32 * 1024 * 1024;

/** By the versions of what they are made of; undefined where these changed meanwhile. */
export class LastingMetrics extends SharedAnswers<LastingPart | undefined> {
  constructor() {
    super(MAX_BYTES, (part) => part?.json.length ?? 0);
  }
}
