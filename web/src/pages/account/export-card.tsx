import { useMutation } from '@tanstack/react-query';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { type Export, FILE_FORMATS, type FileFormat } from '../../../../src/words/statistics.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { showToast } from '../../components/toast.tsx';
import { ApiError, addressOf, request } from '../../lib/api.ts';
import { downloadBlob } from '../../lib/download.ts';
import { LOCALE } from '../../lib/locale.ts';

const TITLES: Record<Export, string> = {
  trades: 'Trades',
  deals: 'Deals',
  statistics: 'Statistics',
};

/** The whole history as files. */
export function ExportCard({ account }: { account: AccountRecord }) {
  return (
    <Card title="Files" hint="CSV opens in a spreadsheet of your browser's language">
      <div className="row">
        {(Object.keys(TITLES) as Export[]).flatMap((what) =>
          FILE_FORMATS.map((format) => (
            <ExportButton key={`${what} ${format}`} account={account} what={what} format={format} />
          )),
        )}
      </div>
    </Card>
  );
}

function ExportButton(props: { account: AccountRecord; what: Export; format: FileFormat }) {
  const { account, what, format } = props;
  const download = useMutation({
    mutationFn: () => readFile(account.id, what, format),
    onSuccess: (file) => downloadBlob(`${what}-${account.login}.${format}`, file),
    onError: ({ message }) => showToast(message, { tone: 'bad' }),
  });
  return (
    <Button size="small" busy={download.isPending} onClick={() => download.mutate()}>
      {`${TITLES[what]} (${format.toUpperCase()})`}
    </Button>
  );
}

const MAX_COMPUTING_WAITS = 20;
const COMPUTING_MS = 1_000;

async function readFile(accountId: string, what: Export, format: FileFormat): Promise<Blob> {
  const path = '/users/current/accounts/:accountId/exports/:what';
  const address = addressOf(path, { accountId, what }, { format, locale: LOCALE });
  for (let waits = 0; waits < MAX_COMPUTING_WAITS; waits += 1) {
    const response = await request(address, {}, false);
    if (response.status !== 202) return response.blob();
    await new Promise((resolve) => setTimeout(resolve, COMPUTING_MS));
  }
  throw new ApiError(0, 'The trades are still being computed');
}
