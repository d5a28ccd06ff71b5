import { replaceQuery, useLocation } from './route.ts';

/** The label whose accounts are looked at, from page to page; empty for all accounts. */
export const useGroup = (): string => useLocation().query.get('label') ?? '';

/** Looks at the accounts of a label, or at all; other words of the address may change with it. */
export const chooseGroup = (label: string, changes: Record<string, undefined> = {}): void =>
  replaceQuery({ ...changes, label: label || undefined });
