import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { ImportSummary } from '../../../../src/contract/operations/statements.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money } from '../../components/money.tsx';
import { ShowMore } from '../../components/paged-list.tsx';
import { Shown } from '../../components/shown.tsx';
import { Table } from '../../components/table.tsx';
import { showToast } from '../../components/toast.tsx';
import { countOf, formatLocalTime, formatNumber } from '../../lib/format.ts';
import { useMay } from '../../shell/use-may.ts';
import { OpenConflicts } from './conflicts.tsx';
import { ImportResult } from './import-result.tsx';
import { kindWords } from './report-kinds.ts';
import { useImport, useImports, useTakeBack } from './use-imports.ts';

/** Earlier imports: how they agree with our figures, and how to undo them. */
export function ImportHistory({ account }: { account: AccountRecord }) {
  const imports = useImports(account.id);
  const [shown, setShown] = useState<string>();
  if (imports.error) return <ErrorNote error={imports.error} retry={imports.refetch} />;
  if (!imports.rows) return <Loading label="Loading the imports" lines={3} />;
  if (imports.rows.length === 0) return null;
  const isShown = imports.rows.some(({ id }) => id === shown);
  return (
    <>
      <OpenConflicts account={account} imports={imports.rows} />
      <Card title="Imported files" hint="Newest first; times are yours" flush>
        <Table
          caption="Imported files"
          rows={imports.rows}
          rowKey={({ id }) => id}
          columns={[
            {
              title: 'Imported',
              cell: ({ importedAt }) => (
                <span className="nowrap">{formatLocalTime(importedAt)}</span>
              ),
            },
            {
              title: 'File',
              cell: ({ kind, fileName }) => (
                <>
                  {fileName ? <div>{fileName}</div> : null}
                  <span className={fileName ? 'hint' : ''}>{kindWords(kind)}</span>
                </>
              ),
            },
            {
              title: 'Deals (new)',
              align: 'end',
              cell: ({ deals, added }) => `${formatNumber(deals, 0)} (${formatNumber(added, 0)})`,
            },
            {
              title: 'Balance',
              align: 'end',
              wide: true,
              cell: ({ balance, currency }) => <Money value={balance} currency={currency} />,
            },
            {
              title: 'Outcome',
              cell: (one) => <Outcome {...one} />,
            },
            {
              title: 'Actions',
              align: 'end',
              cell: (one) => (
                <span className="row row-end">
                  <Button
                    size="small"
                    aria-expanded={shown === one.id}
                    aria-label={`Compare ${kindWords(one.kind)}`}
                    onClick={() => setShown(shown === one.id ? undefined : one.id)}
                  >
                    Compare
                  </Button>
                  {one.state === 'stored' ? <TakeBack account={account} imported={one} /> : null}
                </span>
              ),
            },
          ]}
        />
        <ShowMore pages={imports} />
      </Card>
      {shown !== undefined && isShown ? <Compared account={account} importId={shown} /> : null}
    </>
  );
}

function Outcome({ state, differences, warnings, conflicts }: ImportSummary) {
  if (state === 'storing') return <Badge>Coming in</Badge>;
  if (state === 'leaving') return <Badge>Being taken back</Badge>;
  if (differences > 0) return <Badge tone="bad">{differences} figures differ</Badge>;
  if (conflicts > 0) {
    return <Badge tone="warn">{countOf(conflicts, 'conflict')}</Badge>;
  }
  if (warnings > 0) {
    return <Badge tone="warn">{countOf(warnings, 'warning')}</Badge>;
  }
  return <Badge tone="good">Reconciled</Badge>;
}

function Compared(props: { account: AccountRecord; importId: string }) {
  const found = useImport(props.account.id, props.importId);
  return (
    <Shown read={found} what="the import">
      {(result) => (
        <Card
          title={result.importedAt ? `Imported ${formatLocalTime(result.importedAt)}` : 'Imported'}
        >
          <ImportResult account={props.account} result={result} />
        </Card>
      )}
    </Shown>
  );
}

/** Takes an import back; nothing where the token may not. */
function TakeBack(props: {
  account: AccountRecord;
  imported: { id: string; kind: string; added: number };
  done?: () => void;
}) {
  const { account, imported } = props;
  const takeBack = useTakeBack(account.id);
  if (!useMay().write) return null;
  return (
    <ConfirmButton
      label={`Take back ${kindWords(imported.kind)}`}
      question="Take this import back?"
      consequence={`This removes up to ${countOf(imported.added, 'deal')} that only this import brought to “${account.name}”; deals that another import lists stay. Statistics follow in the background.`}
      confirm="Take it back"
      work={takeBack}
      subject={{ params: { accountId: account.id, importId: imported.id } }}
      done={() => {
        showToast('The import is being taken back');
        props.done?.();
      }}
    >
      Take back
    </ConfirmButton>
  );
}
