import { useState } from 'react';
import type { ProgramRecord } from '../../../../src/contract/operations/programs.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { showToast } from '../../components/toast.tsx';
import { useTyped } from '../../lib/edits.ts';
import { path } from '../../lib/path.ts';
import { navigate } from '../../lib/route.ts';
import { PhaseBook } from '../../programs/phase-book.tsx';
import {
  addPhase,
  changePhase,
  formOf,
  type PhaseForm,
  removePhase,
  START,
} from '../../programs/program-form.ts';
import { obstacleOf, obstacleOfPhases, toPhase, toProgram } from '../../programs/read-program.ts';
import { useSaveProgram } from '../../programs/use-programs.ts';
import '../../rules/rules.css';
import { PhaseFields } from './phase-fields.tsx';

const MOST_PHASES = 10;

/** Creates a program, or the next version of one. */
export function ProgramDialog(props: {
  program?: ProgramRecord;
  /** The newest version when the dialog was opened: one can also continue from an older one. */
  newest?: number;
  close: () => void;
}) {
  const { close } = props;
  // The saved version follows the one that was seen, whatever is the newest by then.
  const [{ program, newest }] = useState(props);
  const { form, change, draft } = useTyped(
    () => (program ? formOf(program) : START),
    `program ${program?.id ?? 'new'} ${newest ?? ''}`,
  );
  const save = useSaveProgram(program && { id: program.id, version: newest ?? program.version });
  const { phases } = form;
  const submit = async (): Promise<void> => {
    const { id, version } = await save.mutateAsync(toProgram(form));
    showToast(`Version ${version} of “${form.name.trim()}” is saved`);
    close();
    navigate(path.program(id));
  };
  return (
    <Dialog title={program ? `New version of “${program.name}”` : 'New program'} close={close} wide>
      <Form
        form={form}
        change={change}
        draft={draft}
        fields={[
          { name: 'name', label: 'Name of the program', required: true, maxLength: 200 },
          ...phases.map((phase, index) => (
            <PhaseFields
              key={phase.key}
              form={phase}
              place={index + 1}
              change={(changes) => change(changePhase(form, phase.key, changes))}
              remove={phases.length > 1 ? () => change(removePhase(form, phase.key)) : undefined}
            />
          )),
          phases.length < MOST_PHASES && (
            <div key="add">
              <Button onClick={() => change(addPhase(form))}>Add a phase like the last</Button>
            </div>
          ),
        ]}
        error={save.error}
        obstacle={obstacleOf(form)}
        submit={submit}
        action={program ? 'Save as a new version' : 'Save program'}
        busy={save.isPending}
        cancel={close}
        aside={
          <div className="stack" aria-live="polite">
            <h3>To be saved</h3>
            <Phases phases={phases} />
            {program ? (
              <p className="hint">Accounts that are enrolled keep the version they have.</p>
            ) : null}
          </div>
        }
      />
    </Dialog>
  );
}

/** The phases in words, or what is missing. */
function Phases({ phases }: { phases: readonly PhaseForm[] }) {
  const obstacle = obstacleOfPhases(phases);
  if (obstacle !== undefined) return <p className="rule-words">{obstacle}</p>;
  return phases.map((form, index) => {
    const phase = toPhase(form);
    return (
      <div key={form.key} className="rule-words">
        <strong>
          Phase {index + 1}: {phase.name}
        </strong>
        <PhaseBook phase={phase} />
      </div>
    );
  });
}
