import { useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type { EnrolmentRecord } from '../../../../src/contract/operations/enrolments.ts';
import type { ProgramRecord } from '../../../../src/contract/operations/programs.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Fields } from '../../components/fields.tsx';
import { Shown } from '../../components/shown.tsx';
import { path } from '../../lib/path.ts';
import { useProgram, usePrograms } from '../../programs/use-programs.ts';
import '../../rules/rules.css';
import { EnrolForm } from './enrol-form.tsx';

/** Tries a phase of a program on the account's history, and enrols the account in it. */
export function EnrolDialog(props: {
  account: AccountRecord;
  /** Continues in the next phase of the same version. */
  passed?: EnrolmentRecord;
  close: () => void;
}) {
  const { passed } = props;
  return (
    <Dialog
      title={passed ? 'Enrol in the next phase' : 'Enrol or try a program'}
      close={props.close}
      wide
    >
      {passed ? <NextPhase {...props} passed={passed} /> : <AnyPhase {...props} />}
    </Dialog>
  );
}

type Props = { account: AccountRecord; close: () => void };

function NextPhase({ account, passed, close }: Props & { passed: EnrolmentRecord }) {
  const program = useProgram(passed.programId, passed.version);
  if (!program.data)
    return (
      <Shown read={program} what="the program" lines={4}>
        {() => null}
      </Shown>
    );
  const place = passed.phase + 1;
  const phase = program.data.phases[place - 1];
  if (!phase) return <p>The last phase is passed: there is no next one.</p>;
  return (
    <EnrolForm
      account={account}
      into={{ passed: { accountId: account.id, enrolmentId: passed.id } }}
      place={place}
      phase={phase}
      initialBalance={passed.initialBalance}
      close={close}
    />
  );
}

function AnyPhase({ account, close }: Props) {
  const programs = usePrograms();
  const [programId, setProgramId] = useState<string>();
  const [chosenPlace, setPlace] = useState(1);
  if (!programs.data)
    return (
      <Shown read={programs} what="programs" lines={4}>
        {() => null}
      </Shown>
    );
  const program = programs.data.find(({ id }) => id === programId) ?? programs.data[0];
  // A new version may have fewer phases.
  const place = Math.min(chosenPlace, program?.phases.length ?? 0);
  const phase = program?.phases[place - 1];
  if (!program || !phase)
    return (
      <p>
        There is no program yet. <a href={path.programs()}>Make one</a> first.
      </p>
    );
  return (
    <EnrolForm
      account={account}
      into={{ programId: program.id, version: program.version, phase: place }}
      place={place}
      phase={phase}
      close={close}
    >
      <PhaseChoice
        programs={programs.data}
        program={program}
        place={place}
        choose={(id, chosen) => {
          setProgramId(id);
          setPlace(chosen);
        }}
      />
    </EnrolForm>
  );
}

function PhaseChoice(props: {
  programs: readonly ProgramRecord[];
  program: ProgramRecord;
  place: number;
  choose: (programId: string, place: number) => void;
}) {
  const { program, choose } = props;
  return (
    <Fields
      form={{ program: program.id, place: String(props.place) }}
      change={(changes) =>
        choose(changes.program ?? program.id, changes.program ? 1 : Number(changes.place))
      }
      table={[
        {
          name: 'program',
          label: 'Program',
          options: props.programs.map(({ id, name, version }) => ({
            value: id,
            title: `${name}, version ${version}`,
          })),
        },
        {
          name: 'place',
          label: 'Phase',
          options: program.phases.map(({ name }, index) => ({
            value: String(index + 1),
            title: `${index + 1}. ${name}`,
          })),
        },
      ]}
    />
  );
}
