import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  ImportRecord,
  ImportSummary,
  settleConflictOperation,
} from '../../../../src/contract/operations/statements.ts';
import { CONFLICT_SIDES } from '../../../../src/words/deals.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { useChange } from '../../lib/use-operation.ts';
import { useMay } from '../../shell/use-may.ts';
import { kindWords } from './report-kinds.ts';
import { useImport } from './use-imports.ts';

type Conflict = ImportRecord['conflicts'][number];

const FIELDS: Record<Conflict['field'], string> = {
  money: 'a result of',
  volume: 'a volume of',
  closeTime: 'a close at',
  price: 'a price of',
};

/** Imports that differ from other sources, until a user has decided. */
export function OpenConflicts(props: {
  account: AccountRecord;
  imports: readonly ImportSummary[];
}) {
  const open = props.imports.filter(({ conflicts, state }) => conflicts > 0 && state === 'stored');
  if (open.length === 0) return null;
  return (
    <Card title="Conflicts between sources" hint="Decide which figure is right">
      {open.map(({ id }) => (
        <ConflictsOf key={id} account={props.account} importId={id} />
      ))}
    </Card>
  );
}

function ConflictsOf({ account, importId }: { account: AccountRecord; importId: string }) {
  const found = useImport(account.id, importId);
  return found.data ? <Conflicts account={account} result={found.data} isOpenOnly /> : null;
}

/** A file's differences from another source, with ways to settle them. */
export function Conflicts(props: {
  account: AccountRecord;
  result: ImportRecord;
  isOpenOnly?: boolean;
}) {
  const { account, result, isOpenOnly = false } = props;
  const places = [...result.conflicts.entries()].filter(
    ([, { settledAt }]) => !isOpenOnly || settledAt === undefined,
  );
  if (places.length === 0) return null;
  return (
    <ul className="saved-list" aria-label={`Conflicts of ${kindWords(result.kind)}`}>
      {places.map(([place, conflict]) => (
        <li key={`${conflict.positionId} ${conflict.field}`} className="row">
          <span>
            Position {conflict.positionId}:{' '}
            {conflict.storedBy ? 'an earlier import' : 'the platform'} has {FIELDS[conflict.field]}{' '}
            {conflict.stored}, {kindWords(result.kind)} {conflict.stated}. {conflict[conflict.kept]}{' '}
            counts
            {conflict.settledAt ? ', as was decided' : ''}.
          </span>
          {result.id ? (
            <Decision account={account} importId={result.id} place={place} conflict={conflict} />
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Decision(props: {
  account: AccountRecord;
  importId: string;
  place: number;
  conflict: Conflict;
}) {
  const { account, importId, place, conflict } = props;
  const params = { accountId: account.id, importId, place };
  const settling = useChange<typeof settleConflictOperation>(
    'PUT /users/current/accounts/:accountId/imports/:importId/conflicts/:place',
    ['account', account.id],
  );
  if (!useMay().write) return null;
  return (
    <span className="row">
      {CONFLICT_SIDES.map((side) => (
        <Button
          key={side}
          size="small"
          busy={settling.isPending}
          aria-pressed={conflict.settledAt !== undefined && conflict.kept === side}
          onClick={() => settling.mutate({ params, body: { keep: side } })}
        >
          {conflict[side]} is right
        </Button>
      ))}
      {settling.error ? <span className="field-error">{settling.error.message}</span> : null}
    </span>
  );
}
