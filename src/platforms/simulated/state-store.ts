import { PlatformError } from '../gateway.ts';

/** Where a simulated platform keeps what was done to it by hand: one text, replaced as a whole. */
export interface SimulatedStateStore {
  /** The text of the last save; undefined before the first. */
  load(): Promise<string | undefined>;
  /** Resolves when the text is durable. */
  save(text: string): Promise<void>;
}

export type OpenedAccount = {
  login: number;
  requestId: string;
  openedUtcMs: number;
  group: string;
  leverage: number;
  enabled: boolean;
  name: string;
  email: string;
  address: string;
  city: string;
  country: string;
  phone: string;
  state: string;
  zip: string;
  clientId: string;
  leadSource: string;
  leadCampaign: string;
};

/** Something that was done to an account by hand, at a moment after everything done before. */
export type ManualOperation = { login: number; utcMs: number } & (
  | { kind: 'cash'; amount: number; credit: boolean; comment: string }
  | {
      kind: 'open';
      symbol: string;
      side: 1 | -1;
      lots: number;
      stopLoss?: number | undefined;
      takeProfit?: number | undefined;
    }
  | { kind: 'close'; ticket: number; lots: number | undefined }
);

/** All that the simulated world can't compute from its seed. */
export type SimulatedState = {
  version: 1;
  seed: number;
  /** When the platform was first started; its history begins some months before. */
  startedUtcMs: number;
  accounts: OpenedAccount[];
  operations: ManualOperation[];
};

/** Reads a saved text. Throws PlatformError `unavailable` for any other. */
export function parseState(text: string): SimulatedState {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new PlatformError('unavailable', 'The state of the simulated platform is no JSON', {
      cause: error,
    });
  }
  if (!isState(parsed))
    throw new PlatformError(
      'unavailable',
      'The state of the simulated platform is of another kind',
    );
  return parsed;
}

function isState(value: unknown): value is SimulatedState {
  if (typeof value !== 'object' || value === null) return false;
  const state = value as Partial<SimulatedState>;
  return (
    state.version === 1 &&
    Number.isSafeInteger(state.seed) &&
    Number.isSafeInteger(state.startedUtcMs) &&
    Array.isArray(state.accounts) &&
    Array.isArray(state.operations)
  );
}

/** Keeps nothing beyond the process: for tests and throw-away demos. */
export class MemoryStateStore implements SimulatedStateStore {
  #text: string | undefined;

  async load(): Promise<string | undefined> {
    return this.#text;
  }

  async save(text: string): Promise<void> {
    this.#text = text;
  }
}
