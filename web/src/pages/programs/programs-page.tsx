import { useState } from 'react';
import type { ListedProgramRecord } from '../../../../src/contract/operations/programs.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { FormLoading } from '../../components/form-loading.tsx';
import { Page } from '../../components/page.tsx';
import { Shown } from '../../components/shown.tsx';
import { countOf, formatLocalTime } from '../../lib/format.ts';
import { lazily } from '../../lib/lazily.tsx';
import { path } from '../../lib/path.ts';
import { phaseSummary } from '../../programs/program-words.ts';
import '../../programs/programs.css';
import { usePrograms } from '../../programs/use-programs.ts';
import { useMay } from '../../shell/use-may.ts';

const ProgramDialog = lazily(
  async () => (await import('./program-dialog.tsx')).ProgramDialog,
  FormLoading,
);

/** Rule books of evaluations, each with its newest version. */
export function ProgramsPage() {
  const programs = usePrograms();
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const create =
    may.write && may.wholeUser ? (
      <Button kind="primary" onClick={() => setCreating(true)}>
        New program
      </Button>
    ) : null;
  return (
    <Page
      title="Programs"
      lead="Rule books of evaluations, and the accounts under them"
      actions={create}
    >
      <Shown
        read={programs}
        what="programs"
        lines={6}
        empty={
          <Card>
            <Empty title="No programs yet" action={create}>
              A program has phases, such as a challenge and a verification. Each has rules that must
              not be broken and objectives that must be reached.
            </Empty>
          </Card>
        }
      >
        {(all) => all.map((program) => <ProgramCard key={program.id} program={program} />)}
      </Shown>
      {isCreating ? <ProgramDialog close={() => setCreating(false)} /> : null}
    </Page>
  );
}

function ProgramCard({ program }: { program: ListedProgramRecord }) {
  const { id, name, version, phases, createdAt, enrolments } = program;
  return (
    <Card
      title={<a href={path.program(id)}>{name}</a>}
      actions={
        <Badge tone={enrolments > 0 ? 'accent' : 'plain'}>
          {enrolments === 0 ? 'Not used' : countOf(enrolments, 'enrolment')}
        </Badge>
      }
      hint={`Version ${version}, created ${formatLocalTime(createdAt)} your time`}
    >
      <ol className="phase-lines">
        {phases.map((phase, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a phase is its place
          <li key={index}>
            <strong>{phase.name}</strong>: {phaseSummary(phase)}
          </li>
        ))}
      </ol>
    </Card>
  );
}
