import { type FormEvent, useState } from 'react';
import type { ProgramRecord } from '../../../../src/contract/operations/programs.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { showToast } from '../../components/toast.tsx';
import { faultOf } from '../../lib/faults.ts';
import { path } from '../../lib/path.ts';
import { navigate } from '../../lib/route.ts';
import { PhaseBook } from '../../programs/phase-book.tsx';
import { formOf, nextPhase, START } from '../../programs/program-form.ts';
import { obstacleOf, obstacleOfPhases, toProgram } from '../../programs/read-program.ts';
import { useSaveProgram } from '../../programs/use-programs.ts';
import '../../rules/rules.css';
import { PhaseFields } from './phase-fields.tsx';

const MOST_PHASES = 10;
const PARAMETERS = ['name'];

/** Makes a program, or the next version of one. */
export function ProgramDialog(props: {
  program?: ProgramRecord;
  /** The newest version when it was opened: an older one can be gone on from, too. */
  newest?: number;
  close: () => void;
}) {
  const { close } = props;
  // What is saved follows what was seen, whatever is the newest version by then.
  const [{ program, newest }] = useState(props);
  const [form, setForm] = useState(() => (program ? formOf(program) : START));
  const [isTried, setTried] = useState(false);
  const save = useSaveProgram(program && { id: program.id, version: newest ?? program.version });
  const obstacle = obstacleOf(form);
  const { phases } = form;
  const unclear = obstacleOfPhases(phases);
  const last = phases.at(-1);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (obstacle !== undefined) return;
    const { id, version } = await save.mutateAsync(toProgram(form));
    showToast(`Version ${version} of “${form.name.trim()}” is saved`);
    close();
    navigate(path.program(id));
  };
  return (
    <Dialog title={program ? `New version of “${program.name}”` : 'New program'} close={close} wide>
      <form
        className="rule-form"
        noValidate
        // A failure is in `error`.
        onSubmit={(event) => void submit(event).catch(() => undefined)}
      >
        <div className="stack">
          <Field
            label="Name of the program"
            required
            error={faultOf(save.error, 'name', 'The name')}
          >
            {(control) => (
              <input
                {...control}
                value={form.name}
                maxLength={200}
                onChange={({ target }) => setForm({ ...form, name: target.value })}
              />
            )}
          </Field>
          {phases.map((phase, index) => (
            <PhaseFields
              key={phase.key}
              phase={phase}
              place={index + 1}
              error={save.error}
              change={(changes) =>
                setForm({
                  ...form,
                  phases: phases.map((each) =>
                    each.key === phase.key ? { ...each, ...changes } : each,
                  ),
                })
              }
              remove={
                phases.length > 1
                  ? () =>
                      setForm({ ...form, phases: phases.filter(({ key }) => key !== phase.key) })
                  : undefined
              }
            />
          ))}
          {last && phases.length < MOST_PHASES ? (
            <div>
              <Button onClick={() => setForm({ ...form, phases: [...phases, nextPhase(last)] })}>
                Add a phase like the last
              </Button>
            </div>
          ) : null}
          <FormError error={save.error} parameters={PARAMETERS} />
          {isTried && obstacle ? (
            <p className="note note-bad" role="alert">
              {obstacle}
            </p>
          ) : null}
          <div className="actions">
            <Button kind="primary" type="submit" busy={save.isPending}>
              {program ? 'Save as a new version' : 'Save program'}
            </Button>
            <Button onClick={close}>Cancel</Button>
          </div>
        </div>
        <div className="stack program-words" aria-live="polite">
          <h3>To be saved</h3>
          {unclear === undefined ? (
            toProgram(form).phases.map((phase, index) => (
              <div key={phases[index]?.key} className="rule-words">
                <strong>
                  Phase {index + 1}: {phase.name}
                </strong>
                <PhaseBook phase={phase} />
              </div>
            ))
          ) : (
            <p className="rule-words">{unclear}</p>
          )}
          {program ? (
            <p className="hint">Accounts that are enrolled keep the version they have.</p>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}
