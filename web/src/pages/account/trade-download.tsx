import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/toast.tsx';
import { downloadText } from '../../lib/download.ts';
import { formatNumber } from '../../lib/format.ts';
import { LOCALE } from '../../lib/locale.ts';
import { readAllTrades, type TradeQuery } from './read-trades.ts';
import { tradesToCsv } from './trades-csv.ts';

/** All trades that fit the filters as a file, not only those on the page. */
export function TradeDownload({ account, query }: { account: AccountRecord; query: TradeQuery }) {
  const [count, setCount] = useState(0);
  const download = useMutation({
    mutationFn: () => readAllTrades(account.id, query, setCount),
    onSuccess: ({ trades, isWhole }) => {
      downloadText(`trades-${account.login}.csv`, 'text/csv', tradesToCsv(trades, LOCALE));
      const rows = `${formatNumber(trades.length, 0)} rows written`;
      if (isWhole) showToast(rows);
      else showToast(`${rows}; older ones are left out: choose fewer days`, 'bad');
    },
    onError: (error) => showToast(error.message, 'bad'),
  });
  return (
    <Button busy={download.isPending} onClick={() => download.mutate()}>
      {download.isPending ? `${formatNumber(count, 0)} read …` : 'Download CSV'}
    </Button>
  );
}
