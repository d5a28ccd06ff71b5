import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { StatementDrop } from '../../accounts/statement-drop.tsx';
import { type HowToImport, uploadStatement } from '../../accounts/upload-statement.ts';
import { useDeleteTableMapping, useTableMappings } from '../../accounts/use-table-mappings.ts';
import { Card } from '../../components/card.tsx';
import { Check } from '../../components/check.tsx';
import { SavedList } from '../../components/saved-list.tsx';
import { useMay } from '../../shell/use-may.ts';
import { ImportHistory } from './import-history.tsx';
import { type Upload, UploadCard } from './upload-card.tsx';

const MAX_RESULTS = 20;

let nextId = 1;

export function ImportTab({ account }: { account: AccountRecord }) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [isTrying, setTrying] = useState(false);
  const queries = useQueryClient();
  const set = (next: Upload): void =>
    setUploads((all) => {
      const isShown = all.some(({ id }) => id === next.id);
      const others = isShown ? all.map((one) => (one.id === next.id ? next : one)) : [next, ...all];
      return others.slice(0, MAX_RESULTS);
    });
  const send = async (file: File, how: HowToImport, id = nextId++): Promise<void> => {
    const base = { id, file };
    try {
      const result = await uploadStatement(account.id, file, how, (sent) =>
        set({ ...base, state: 'sending', sent }),
      );
      set({ ...base, state: how.dryRun ? 'tried' : 'done', result });
    } catch (error) {
      set({ ...base, state: 'failed', error });
    }
    if (how.dryRun) return;
    await queries.invalidateQueries({ queryKey: ['account', account.id] });
    await queries.invalidateQueries({ queryKey: ['accounts'] });
  };
  const sendAll = async (files: Iterable<File>): Promise<void> => {
    for (const file of files) await send(file, { dryRun: isTrying });
  };
  return (
    <>
      <Card title="Import a statement" hint="The format is recognised by the content">
        <StatementDrop choose={(files) => void sendAll(files)} />
        <Check isOn={isTrying} set={setTrying}>
          First show me what would be imported
        </Check>
      </Card>
      {uploads.map((upload) => (
        <UploadCard
          key={upload.id}
          account={account}
          upload={upload}
          send={(how) => void send(upload.file, how, upload.id)}
        />
      ))}
      <ImportHistory account={account} />
      <TableMappings />
    </>
  );
}

/** What was said about tables; nothing while there is none. */
function TableMappings() {
  const mappings = useTableMappings().data ?? [];
  const removal = useDeleteTableMapping();
  const may = useMay();
  if (mappings.length === 0) return null;
  return (
    <Card title="Mapped tables" hint="Files with the same headings are read by them">
      <SavedList
        rows={mappings}
        what="mapping"
        consequence="Files with its headings are no longer read by it. What was imported stays."
        removal={removal}
        mayDelete={may.write}
        about={({ columns }) =>
          columns
            .filter(({ field }) => field)
            .map(({ heading }) => heading)
            .join(', ')
        }
      />
    </Card>
  );
}
