import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { ImportRecord } from '../../../../src/contract/operations/statements.ts';
import { MappingOffer, tableOfError } from '../../accounts/mapping-offer.tsx';
import { Sending } from '../../accounts/sending.tsx';
import type { HowToImport } from '../../accounts/upload-statement.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { ApiError } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format.ts';
import { ImportResult } from './import-result.tsx';

export type Upload = { id: number; file: File } & (
  | { state: 'sending'; sent: number }
  | { state: 'tried' | 'done'; result: ImportRecord }
  | { state: 'failed'; error: unknown }
);

/** A file being sent, and its outcome or preview. */
export function UploadCard(props: {
  account: AccountRecord;
  upload: Upload;
  send: (how: HowToImport) => void;
}) {
  const { upload, send, account } = props;
  const table =
    upload.state === 'tried'
      ? upload.result.table
      : upload.state === 'failed'
        ? tableOfError(upload.error)
        : undefined;
  const ways = [
    ...(upload.state === 'tried' ? [{ label: 'Import it', how: {} }] : []),
    ...(upload.state === 'failed' ? waysOut(upload.error) : []),
  ];
  return (
    <Card title={upload.file.name} hint={formatBytes(upload.file.size)}>
      <div className="stack">
        {upload.state === 'sending' ? <Sending sent={upload.sent} /> : null}
        {upload.state === 'failed' ? (
          <ErrorNote title="Not imported." error={inWords(upload.error)} />
        ) : null}
        {upload.state === 'tried' || upload.state === 'done' ? (
          <ImportResult account={account} result={upload.result} />
        ) : null}
        <div className="actions">
          {ways.map(({ label, how }) => (
            <Button key={label} onClick={() => send(how)}>
              {label}
            </Button>
          ))}
          <MappingOffer
            table={table}
            fileName={upload.file.name}
            saved={() => send({ dryRun: true })}
          />
        </div>
      </div>
    </Card>
  );
}

/** Without the ways of the API, which are buttons here. */
const inWords = (error: unknown): unknown =>
  error instanceof ApiError && error.status === 409
    ? new ApiError(
        error.status,
        error.message.replace(/ Send it with \w+=true.*$/, ''),
        error.record,
      )
    : error;

/** Ways to import the report of another account: the server names those it accepts. */
function waysOut(error: unknown): { label: string; how: HowToImport }[] {
  if (!(error instanceof ApiError) || error.status !== 409) return [];
  return [
    { label: 'Make this the account of the report', how: { adopt: true } },
    { label: 'Import into this account anyway', how: { force: true } },
  ].filter(({ how }) => Object.keys(how).some((name) => error.message.includes(`${name}=true`)));
}
