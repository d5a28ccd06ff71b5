import { fromUnits, moneyDigits } from '../../domain/money.ts';
import { PlatformError } from '../../platforms/gateway.ts';
import type { AccountState } from './account-state.ts';
import type { ManualOperation } from './events.ts';
import type { Ledger } from './ledger.ts';
import { MAX_LEVERAGE } from './new-account.ts';
import type { Quotes } from './quotes.ts';

type WithoutMoment<T> = T extends unknown ? Omit<T, 'utcMs'> : never;
/** An operation by hand without its moment, which is always now. */
export type SimulatedOperation = WithoutMoment<ManualOperation>;

/** The account's state just before an operation. */
export type Desk = { ledger: Ledger; state: AccountState; marginUnits: number; quotes: Quotes };

const MAX_AMOUNT = 1_000_000_000;

/** Throws PlatformError `invalid` for operations that the platform would refuse at the moment. */
export function checkOperation(operation: SimulatedOperation, desk: Desk): void {
  switch (operation.kind) {
    case 'cash':
      checkCash(operation, desk);
      break;
    case 'open':
    case 'place':
      checkOrder(operation, desk);
      break;
    case 'close':
      checkTickets(operation.tickets, openTickets(desk));
      break;
    case 'cancel':
      checkTickets(operation.tickets, waitingTickets(desk));
      break;
    case 'settings':
      checkSettings(operation, desk);
  }
}

const openTickets = ({ state }: Desk): number[] =>
  state.positions.map(({ ticket }) => Number(ticket));
const waitingTickets = ({ ledger }: Desk): number[] => ledger.waiting.map(({ ticket }) => ticket);

function checkCash(
  { amount, type }: Extract<SimulatedOperation, { kind: 'cash' }>,
  { ledger, state, marginUnits }: Desk,
): void {
  const { family, group } = ledger.account;
  if (!Number.isFinite(amount) || Math.abs(amount) > MAX_AMOUNT)
    throw new PlatformError('invalid', 'the platform does not accept this amount');
  if (family === 'p4' && type !== 'DEAL_TYPE_BALANCE' && type !== 'DEAL_TYPE_CREDIT')
    throw new PlatformError('unsupported', `the p4 platform has no ${type}`);
  const free = Math.min(state.balance, state.equity - marginUnits);
  const available = type === 'DEAL_TYPE_CREDIT' ? state.credit : free;
  if (amount < 0 && fromUnits(available, moneyDigits(group.currency)) + amount < 0)
    throw new PlatformError('invalid', 'the account does not have enough money');
}

function checkOrder(
  operation: Extract<SimulatedOperation, { kind: 'open' | 'place' }>,
  { ledger, quotes }: Desk,
): void {
  const { enabled, tradingEnabled } = ledger.account;
  if (!enabled || !tradingEnabled)
    throw new PlatformError('invalid', 'trading is disabled on the account');
  const instrument = quotes.instrument(operation.symbol);
  if (!instrument) throw new PlatformError('invalid', 'there is no such symbol');
  const { volumeMin, volumeMax, volumeStep } = instrument;
  const steps = operation.lots / volumeStep;
  const isInRange = operation.lots >= volumeMin && operation.lots <= volumeMax;
  if (!isInRange || Math.abs(steps - Math.round(steps)) > 1e-6)
    throw new PlatformError('invalid', 'the symbol does not allow this volume');
}

function checkTickets(tickets: readonly number[], open: readonly number[]): void {
  if (tickets.some((ticket) => !open.includes(ticket)))
    throw new PlatformError('invalid', 'there is no such ticket');
}

function checkSettings(
  { group, leverage }: Extract<SimulatedOperation, { kind: 'settings' }>,
  { ledger }: Desk,
): void {
  if (leverage !== undefined && !(Number.isInteger(leverage) && isLeverage(leverage)))
    throw new PlatformError('invalid', `leverage must be a whole number from 1 to ${MAX_LEVERAGE}`);
  if (group === undefined) return;
  const found = ledger.groups.find(({ name }) => name === group);
  if (!found) throw new PlatformError('invalid', `there is no group ${JSON.stringify(group)}`);
  if (found.currency !== ledger.account.group.currency)
    throw new PlatformError('invalid', 'the group has another currency');
}

const isLeverage = (leverage: number): boolean => leverage >= 1 && leverage <= MAX_LEVERAGE;
