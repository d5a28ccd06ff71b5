import type { HoldingSum } from './holding-times.ts';
import type { PartState } from './part-state.ts';

const GROUPS = ['bySymbol', 'byMagic', 'byWeekday', 'byOpenHour', 'byCloseHour'] as const;
const TIMES = ['wonTimes', 'lostTimes'] as const;
type Groups = (typeof GROUPS)[number] | 'byDuration';
type Times = (typeof TIMES)[number];

type EncodedHolding = Omit<HoldingSum, 'buckets'> & { buckets: [number, number, number][] };

/** A state as JSON can hold it, which keeps doubles exactly. */
export type EncodedPart = Omit<PartState, Groups | Times> & {
  [Name in Groups]: [key: never, sum: never][];
} & { [Name in Times]: EncodedHolding };

export const encodePart = (state: PartState): object => ({
  ...state,
  ...Object.fromEntries([...GROUPS, 'byDuration' as const].map((name) => [name, [...state[name]]])),
  ...Object.fromEntries(TIMES.map((name) => [name, encodeHolding(state[name])])),
});

export const decodePart = (encoded: EncodedPart): PartState => ({
  ...encoded,
  bySymbol: new Map(encoded.bySymbol),
  byMagic: new Map(encoded.byMagic),
  byWeekday: new Map(encoded.byWeekday),
  byOpenHour: new Map(encoded.byOpenHour),
  byCloseHour: new Map(encoded.byCloseHour),
  byDuration: new Map(encoded.byDuration),
  wonTimes: decodeHolding(encoded.wonTimes),
  lostTimes: decodeHolding(encoded.lostTimes),
});

const encodeHolding = ({ buckets, ...sum }: HoldingSum): EncodedHolding => ({
  ...sum,
  buckets: [...buckets].map(([key, { count, sumMs }]) => [key, count, sumMs]),
});

const decodeHolding = ({ buckets, ...sum }: EncodedHolding): HoldingSum => ({
  ...sum,
  buckets: new Map(buckets.map(([key, count, sumMs]) => [key, { count, sumMs }])),
});
