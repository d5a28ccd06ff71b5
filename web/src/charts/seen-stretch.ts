import { replaceQuery } from '../lib/route.ts';

export type Seconds = readonly [from: number, to: number];

/** Broker time to the second, as in addresses. */
const textOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);

function secondsOf(text: string | null): number | undefined {
  if (!text || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return undefined;
  const timeMs = Date.parse(`${text}Z`);
  return Number.isNaN(timeMs) ? undefined : timeMs / 1000;
}

/** The stretch of a chart that the address names. */
export function stretchOf(query: URLSearchParams): Seconds | undefined {
  const [from, to] = [secondsOf(query.get('from')), secondsOf(query.get('to'))];
  return from !== undefined && to !== undefined && from < to ? [from, to] : undefined;
}

export const showStretch = (fromSeconds: number, toSeconds: number): void =>
  replaceQuery({ from: textOf(fromSeconds), to: textOf(toSeconds) });

export const showAll = (): void => replaceQuery({ from: undefined, to: undefined });
