import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { accountsOverviewOperation } from '../../../src/contract/operations/accounts-overview.ts';
import type { Choice } from '../components/use-listed-choices.ts';
import { useRead } from '../lib/use-operation.ts';

const FOUND = 8;
const TYPING_MS = 120;

/**
 * Accounts that match the typed text, of any number, and how many more match. While `isBehind`,
 * they still match the earlier text.
 */
export function useAccountSearch(text: string, label = '') {
  const search = useLater(text.trim());
  const { data, isPlaceholderData } = useRead<typeof accountsOverviewOperation>(
    ['accounts', 'search', search, label],
    'GET /users/current/accounts-overview',
    { query: { search, label, sort: 'name', limit: FOUND } },
    { placeholderData: keepPreviousData },
  );
  const choices: Choice[] = (data?.accounts ?? []).map(({ id, name, login, broker, currency }) => ({
    id,
    title: name,
    hint: `${login} · ${broker} · ${currency}`,
  }));
  const more = data ? data.total - choices.length : 0;
  const isBehind = search !== text.trim() || isPlaceholderData || !data;
  return { choices, more, isBehind };
}

function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}
