import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useId, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { ImportRecord } from '../../../../src/contract/operations/statements.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { ApiError } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format.ts';
import { ImportHistory } from './import-history.tsx';
import { ImportResult } from './import-result.tsx';
import { type ForeignReport, uploadStatement } from './upload-statement.ts';

const MAX_BYTES = 50 * 1024 * 1024;
const MAX_RESULTS = 20;

type Upload = { id: number; file: File } & (
  | { state: 'sending'; sent: number }
  | { state: 'done'; result: ImportRecord }
  | { state: 'failed'; error: unknown }
);

let nextId = 1;

export function ImportTab({ account }: { account: AccountRecord }) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const queries = useQueryClient();
  const set = (next: Upload): void =>
    setUploads((all) => [next, ...all.filter(({ id }) => id !== next.id)].slice(0, MAX_RESULTS));
  const drop = (id: number): void => setUploads((all) => all.filter((one) => one.id !== id));
  const send = async (file: File, foreign: ForeignReport = {}): Promise<void> => {
    const base = { id: nextId, file };
    nextId += 1;
    if (file.size > MAX_BYTES) {
      const limit = new Error(`The file has ${formatBytes(file.size)}; 50 MB is the most.`);
      set({ ...base, state: 'failed', error: limit });
      return;
    }
    try {
      const result = await uploadStatement(account.id, file, foreign, (sent) =>
        set({ ...base, state: 'sending', sent }),
      );
      set({ ...base, state: 'done', result });
    } catch (error) {
      set({ ...base, state: 'failed', error });
    }
    await queries.invalidateQueries({ queryKey: ['account', account.id] });
    await queries.invalidateQueries({ queryKey: ['accounts'] });
  };
  const sendAll = async (files: Iterable<File>): Promise<void> => {
    for (const file of files) await send(file);
  };
  return (
    <>
      <Card title="Import a statement" hint="The format is recognised by the content">
        <DropZone choose={(files) => void sendAll(files)} />
      </Card>
      {uploads.map((upload) => (
        <Card key={upload.id} title={upload.file.name} hint={formatBytes(upload.file.size)}>
          {upload.state === 'sending' ? <Sending sent={upload.sent} /> : null}
          {upload.state === 'failed' ? (
            <div className="stack">
              <ErrorNote title="Not imported." error={upload.error} />
              <div className="actions">
                {waysOut(upload.error).map(({ label, foreign }) => (
                  <Button
                    key={label}
                    onClick={() => {
                      drop(upload.id);
                      void send(upload.file, foreign);
                    }}
                  >
                    {label}
                  </Button>
                ))}
              </div>
            </div>
          ) : null}
          {upload.state === 'done' ? (
            <ImportResult account={account} result={upload.result} />
          ) : null}
        </Card>
      ))}
      <ImportHistory account={account} />
    </>
  );
}

/** What can be done with the report of another account: the server names what it would accept. */
function waysOut(error: unknown): { label: string; foreign: ForeignReport }[] {
  if (!(error instanceof ApiError) || error.status !== 409) return [];
  return [
    { label: 'Make this the account of the report', foreign: { adopt: true } },
    { label: 'Import into this account anyway', foreign: { force: true } },
  ].filter(({ foreign }) =>
    Object.keys(foreign).some((name) => error.message.includes(`${name}=true`)),
  );
}

function Sending({ sent }: { sent: number }) {
  const percent = Math.round(sent * 100);
  return (
    <div role="status">
      <progress className="progress" max={100} value={percent} aria-label="Sent" />
      <p className="hint">{percent < 100 ? `${percent} % sent` : 'Reading the statement …'}</p>
    </div>
  );
}

function DropZone(props: { choose: (files: File[]) => void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    props.choose([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same by keyboard
    <div
      className={`drop ${isOver ? 'drop-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className="drop-title">Drop statement files here</p>
      <input
        id={id}
        type="file"
        multiple
        className="visually-hidden"
        accept=".htm,.html,.xlsx,.xls,.csv,.tsv,.txt,.json"
        onChange={(event) => {
          props.choose([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <label className="button button-primary" htmlFor={id}>
        Choose files
      </label>
      <p className="hint">
        Reports of p4 and p5 terminals and their testers (html, xlsx); trades as cTrader,
        TradingView, Exness, Match-Trader, TradeLocker, Myfxbook, FX Blue or ZuluTrade export them;
        deals or trades of your own (csv, xlsx, json). Up to 50 MB. Importing a file again adds
        nothing.
      </p>
    </div>
  );
}
