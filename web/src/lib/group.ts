import { replaceQuery, useLocation } from './route.ts';

/** The label of the viewed accounts, kept from page to page; empty for all accounts. */
export const useGroup = (): string => useLocation().query.get('label') ?? '';

/** Shows the accounts of a label, or all; other parts of the address may change with it. */
export const chooseGroup = (label: string, changes: Record<string, undefined> = {}): void =>
  replaceQuery({ ...changes, label: label || undefined });
