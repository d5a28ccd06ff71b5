import { PlatformError } from '../../platforms/gateway.ts';
import type { BALANCE_OPERATIONS } from '../../words/deals.ts';

/**
 * The store of a simulated platform's operations by hand: numbered events, 1, 2, 3 and so on, so
 * that several processes can work on one platform.
 */
export interface SimulatedStore {
  /** Events with numbers above `after`, in order: the first ones, or none. */
  load(after: number): Promise<string[]>;
  /** Resolves when the event is durable; false if its number is already taken. */
  append(number: number, event: string): Promise<boolean>;
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

/** An operation by hand on an account, at a moment after all earlier ones. */
export type ManualOperation = { login: number; utcMs: number } & (
  | { kind: 'cash'; amount: number; type: CashType; comment: string }
  | {
      kind: 'open';
      symbol: string;
      side: 1 | -1;
      lots: number;
      stopLoss?: number | undefined;
      takeProfit?: number | undefined;
    }
  | {
      kind: 'place';
      symbol: string;
      side: 1 | -1;
      lots: number;
      price: number;
      /** A limit waits for a better price, a stop for a worse one. */
      waitsFor: 'limit' | 'stop';
    }
  | { kind: 'close'; tickets: number[]; lots?: number | undefined }
  | { kind: 'cancel'; tickets: number[] }
  | {
      kind: 'settings';
      group?: string | undefined;
      leverage?: number | undefined;
      enabled?: boolean | undefined;
      tradingEnabled?: boolean | undefined;
    }
);

export type CashType = (typeof BALANCE_OPERATIONS)[number];

/** All facts of the simulated world that do not follow from its seed. */
export type SimulatedEvent =
  | { kind: 'started'; seed: number; utcMs: number }
  | { kind: 'opened'; account: OpenedAccount; passwords: PasswordHashes }
  | { kind: 'password'; login: number; passwords: Partial<PasswordHashes> }
  | ManualOperation;

export type PasswordHashes = { main: string; investor: string };

const KINDS: readonly string[] = [
  'started opened password cash open place close cancel settings',
].flatMap((words) => words.split(' '));

/** Reads a stored event. Throws PlatformError `unavailable` for any other text. */
export function parseEvent(text: string): SimulatedEvent {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new PlatformError('unavailable', 'the state of the simulated platform is not JSON', {
      cause,
    });
  }
  if (!isEvent(parsed))
    throw new PlatformError(
      'unavailable',
      'the state of the simulated platform is of another kind',
    );
  return parsed;
}

function isEvent(value: unknown): value is SimulatedEvent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    KINDS.includes(`${value.kind}`)
  );
}
