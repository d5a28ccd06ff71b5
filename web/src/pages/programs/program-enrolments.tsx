import { RULE_KINDS } from '../../../../src/words/programs.ts';
import { Age } from '../../components/age.tsx';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { stateOf } from '../../programs/program-words.ts';
import { EnrolmentRoom } from './enrolment-room.tsx';
import { type AccountEnrolment, useProgramEnrolments } from './use-program-enrolments.ts';

/** Every account that is or was in the program, with its state. */
export function ProgramEnrolments({ programId }: { programId: string }) {
  const pages = useProgramEnrolments(programId);
  const { total, rows } = pages;
  const shown = rows?.length ?? 0;
  return (
    <Card
      flush
      title="Enrolments"
      hint={
        total === undefined || shown >= total
          ? 'Of all versions, the newest first'
          : `Of all versions, the newest ${formatNumber(shown, 0)} of ${formatNumber(total, 0)}`
      }
    >
      <PagedList
        pages={pages}
        what="enrolments"
        empty={
          <Empty title="No account is enrolled">
            Enrol an account on its own page, under Enrolments.
          </Empty>
        }
      >
        {(rows) => (
          <Table
            caption="Enrolments in this program"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </PagedList>
    </Card>
  );
}

const COLUMNS: Column<AccountEnrolment>[] = [
  {
    title: 'Account',
    cell: ({ account, id, phase, phaseName }) => (
      <span className="two-lines">
        <a href={path.account(account.id, { tab: 'enrolments', enrolment: id })}>{account.name}</a>
        <span className="hint">
          Phase {phase}: {phaseName}
        </span>
      </span>
    ),
  },
  {
    title: 'State',
    cell: ({ state, isDisputed, rule }) => (
      <span className="row">
        <Badge tone={stateOf({ state, isDisputed }).tone}>
          {stateOf({ state, isDisputed }).title}
        </Badge>
        {rule && state === 'failed' ? (
          <span className="hint">{RULE_KINDS[rule].toLowerCase()}</span>
        ) : null}
      </span>
    ),
  },
  { title: 'Room left and objectives', cell: (row) => <EnrolmentRoom row={row} /> },
  { title: 'Version', cell: ({ version }) => version, wide: true },
  {
    title: 'Snapshot',
    wide: true,
    cell: ({ account: { ageSeconds }, answeredAtMs }) =>
      ageSeconds === undefined ? (
        <span className="muted">None yet</span>
      ) : (
        <Age ageSeconds={ageSeconds} answeredAtMs={answeredAtMs} />
      ),
  },
];
