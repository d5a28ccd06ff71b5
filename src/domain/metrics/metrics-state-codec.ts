import type { HoldingSum } from './holding-times.ts';
import { createMetricsState, type MetricsState } from './metrics-state.ts';

type EncodedHolding = Omit<HoldingSum, 'buckets'> & {
  buckets: [key: number, count: number, sumMs: number][];
};
type Groups = 'bySymbol' | 'byWeekday' | 'byOpenHour' | 'byCloseHour';
type Times = 'wonTimes' | 'lostTimes';
type Encoded = Omit<MetricsState, Groups | Times> & {
  [Name in Groups]: [key: never, sum: never][];
} & { [Name in Times]: EncodedHolding };

/** Writes the state as JSON, which keeps doubles exactly. */
export function encodeMetricsState(state: MetricsState): string {
  const encoded = {
    ...state,
    wonTimes: encodeHolding(state.wonTimes),
    lostTimes: encodeHolding(state.lostTimes),
    bySymbol: [...state.bySymbol],
    byWeekday: [...state.byWeekday],
    byOpenHour: [...state.byOpenHour],
    byCloseHour: [...state.byCloseHour],
  };
  return JSON.stringify(encoded);
}

/** Reads a text that `encodeMetricsState` wrote. */
export function decodeMetricsState(text: string): MetricsState {
  const encoded: Encoded = JSON.parse(text);
  return {
    ...createMetricsState(),
    ...encoded,
    wonTimes: decodeHolding(encoded.wonTimes),
    lostTimes: decodeHolding(encoded.lostTimes),
    bySymbol: new Map(encoded.bySymbol),
    byWeekday: new Map(encoded.byWeekday),
    byOpenHour: new Map(encoded.byOpenHour),
    byCloseHour: new Map(encoded.byCloseHour),
  };
}

const encodeHolding = ({ buckets, ...sum }: HoldingSum): EncodedHolding => ({
  ...sum,
  buckets: [...buckets].map(([key, { count, sumMs }]) => [key, count, sumMs]),
});

const decodeHolding = ({ buckets, ...sum }: EncodedHolding): HoldingSum => ({
  ...sum,
  buckets: new Map(buckets.map(([key, count, sumMs]) => [key, { count, sumMs }])),
});
