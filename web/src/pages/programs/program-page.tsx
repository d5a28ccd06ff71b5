import { useState } from 'react';
import type { ProgramRecord } from '../../../../src/contract/operations/programs.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { FormLoading } from '../../components/form-loading.tsx';
import { NotThere } from '../../components/not-there.tsx';
import { Page } from '../../components/page.tsx';
import { formatLocalTime } from '../../lib/format.ts';
import { lazily } from '../../lib/lazily.tsx';
import { path } from '../../lib/path.ts';
import { navigate, useLocation } from '../../lib/route.ts';
import { PhaseBook } from '../../programs/phase-book.tsx';
import { useDeleteProgram, useProgram, usePrograms } from '../../programs/use-programs.ts';
import { useMay } from '../../shell/use-may.ts';
import { ProgramEnrolments } from './program-enrolments.tsx';

const ProgramDialog = lazily(
  async () => (await import('./program-dialog.tsx')).ProgramDialog,
  FormLoading,
);

/** A version of a program, the newest if the address names none, and its enrolments. */
export function ProgramPage({ programId = '' }: { programId?: string }) {
  const asked = Number(useLocation().query.get('version') ?? '');
  const version = Number.isInteger(asked) && asked > 0 ? asked : undefined;
  const newest = useProgram(programId);
  const shown = useProgram(programId, version);
  if (newest.data && shown.data) return <Program program={shown.data} newest={newest.data} />;
  const read = { error: shown.error ?? newest.error, refetch: shown.refetch };
  return (
    <Page title="Program">
      <NotThere what="program" read={read} action={<a href={path.programs()}>All programs</a>} />
    </Page>
  );
}

function Program({ program, newest }: { program: ProgramRecord; newest: ProgramRecord }) {
  const { id, name, version, phases, createdAt } = program;
  return (
    <Page
      title={name}
      lead={
        <span className="row">
          <a href={path.programs()}>All programs</a>
          <span>
            Version {version} of {newest.version}, created {formatLocalTime(createdAt)} your time
          </span>
          {version > 1 ? (
            <a href={path.program(id, { version: String(version - 1) })}>
              Show version {version - 1}
            </a>
          ) : null}
          {version < newest.version ? <a href={path.program(id)}>Show the newest version</a> : null}
        </span>
      }
      actions={<Actions program={program} newest={newest.version} />}
    >
      {phases.map((phase, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a version never changes, a phase is its place
        <Card key={index} title={`Phase ${index + 1}: ${phase.name}`}>
          <PhaseBook phase={phase} />
        </Card>
      ))}
      <ProgramEnrolments programId={id} />
    </Page>
  );
}

/** Allowed actions with it; none for a token without the right. */
function Actions({ program, newest }: { program: ProgramRecord; newest: number }) {
  const may = useMay();
  const removal = useDeleteProgram();
  const programs = usePrograms();
  const [isChanging, setChanging] = useState(false);
  if (!may.write || !may.wholeUser) return null;
  // The server refuses it while an account is or was enrolled.
  const isUnused = programs.data?.find(({ id }) => id === program.id)?.enrolments === 0;
  return (
    <>
      <Button kind="primary" onClick={() => setChanging(true)}>
        New version
      </Button>
      {isUnused ? (
        <ConfirmButton
          question={`Delete the program “${program.name}”?`}
          consequence="This deletes all its versions. No account is or was enrolled in it."
          confirm="Delete"
          work={removal}
          subject={{ params: { programId: program.id } }}
          done={() => navigate(path.programs())}
        >
          Delete
        </ConfirmButton>
      ) : null}
      {isChanging ? (
        <ProgramDialog program={program} newest={newest} close={() => setChanging(false)} />
      ) : null}
    </>
  );
}
