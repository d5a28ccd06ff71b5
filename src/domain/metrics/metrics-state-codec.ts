import { createMetricsState, type MetricsState } from './metrics-state.ts';
import { decodePart, type EncodedPart, encodePart } from './part-state-codec.ts';

/** Writes the state as JSON, which keeps doubles exactly. */
export const encodeMetricsState = (state: MetricsState): string =>
  JSON.stringify({ ...state, trades: encodePart(state.trades) });

/** Reads a text that `encodeMetricsState` wrote. */
export function decodeMetricsState(text: string): MetricsState {
  const encoded: Omit<MetricsState, 'trades'> & { trades: EncodedPart } = JSON.parse(text);
  return { ...createMetricsState(), ...encoded, trades: decodePart(encoded.trades) };
}
