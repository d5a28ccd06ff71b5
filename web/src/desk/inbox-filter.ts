import { useGroup } from '../lib/group.ts';
import { replaceQuery, useLocation } from '../lib/route.ts';
import { ORDERS, type Order } from './arrange.ts';
import type { IncidentFilter } from './use-incidents.ts';

export const STATES = [
  { value: 'open', title: 'Open' },
  { value: 'all', title: 'All' },
] as const;
export const KINDS = [
  { value: 'any', title: 'Any' },
  { value: 'drawdown', title: 'Losses' },
  { value: 'profit', title: 'Targets' },
] as const;

/** The filter of incidents, in the address. */
export type InboxFilter = {
  state: (typeof STATES)[number]['value'];
  kind: (typeof KINDS)[number]['value'];
  /** The account of this page. */
  ofAccount: string | undefined;
  /** On the desk: the only account shown. */
  onlyAccount: string | undefined;
  order: Order;
  /** Words that the listed ones are searched for. */
  find: string;
  /** The group; empty if an account is named, which is shown whatever its group. */
  label: string;
};

// The desk shows open ones first; an account's page has its history.
const usualState = (ofAccount: string | undefined) => (ofAccount === undefined ? 'open' : 'all');

export function useInboxFilter(ofAccount: string | undefined): InboxFilter {
  const { query } = useLocation();
  const group = useGroup();
  const named = query.get('account') ?? undefined;
  const accountId = ofAccount ?? named;
  return {
    state: STATES.find(({ value }) => value === query.get('state'))?.value ?? usualState(ofAccount),
    kind: KINDS.find(({ value }) => value === query.get('kind'))?.value ?? 'any',
    order: ORDERS.find(({ value }) => value === query.get('by'))?.value ?? 'time',
    find: query.get('find') ?? '',
    ofAccount,
    onlyAccount: ofAccount === undefined ? named : undefined,
    label: accountId === undefined ? group : '',
  };
}

/** The query to the server. */
export const askedOf = (filter: InboxFilter): IncidentFilter => ({
  state: filter.state,
  kind: filter.kind === 'any' ? undefined : filter.kind,
  accountId: filter.ofAccount ?? filter.onlyAccount,
  label: filter.label || undefined,
});

export const showState = ({ ofAccount }: InboxFilter, state: InboxFilter['state']): void =>
  replaceQuery({ state: state === usualState(ofAccount) ? undefined : state });

export const showOrder = (order: Order): void =>
  replaceQuery({ by: order === 'time' ? undefined : order });

export const showFound = (find: string): void => replaceQuery({ find: find || undefined });

export const showKind = (kind: InboxFilter['kind']): void =>
  replaceQuery({ kind: kind === 'any' ? undefined : kind });
