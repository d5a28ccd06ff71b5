import { type FormEvent, useState } from 'react';
import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import type {
  EnrolmentRecord,
  NewEnrolment,
} from '../../../../src/contract/operations/enrolments.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { FormError } from '../../components/form-error.tsx';
import { Loading } from '../../components/loading.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { showToast } from '../../components/toast.tsx';
import { currencyDigits } from '../../lib/currency-digits.ts';
import { faultOf } from '../../lib/faults.ts';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { type NumberRules, numberOf, readNumber } from '../../lib/read-number.ts';
import { PhaseBook } from '../../programs/phase-book.tsx';
import { useEnrol, useEnrolmentPreview } from '../../programs/use-enrolments.ts';
import { useProgram, usePrograms } from '../../programs/use-programs.ts';
import '../../rules/rules.css';
import { useMay } from '../../shell/use-may.ts';
import { EnrolmentPreview } from './enrolment-preview.tsx';

const PARAMETERS = ['initialBalance', 'startBrokerTime'];

/** Tries a phase of a program on the account's history, and enrols the account in it. */
export function EnrolDialog(props: {
  account: AccountRecord;
  /** Goes on from there, in the next phase of the same version. */
  passed?: EnrolmentRecord;
  close: () => void;
}) {
  const { account, passed, close } = props;
  const { currency } = account;
  const may = useMay();
  const programs = usePrograms();
  const [chosen, setChosen] = useState('');
  const [phase, setPhase] = useState(1);
  const [balance, setBalance] = useState(passed ? formatNumber(passed.initialBalance, 8) : '');
  const [start, setStart] = useState('');
  const programId = passed?.programId ?? (chosen || programs.data?.[0]?.id || '');
  const newest = programs.data?.find(({ id }) => id === programId);
  const version = passed?.version ?? newest?.version;
  const older = useProgram(programId, passed?.version).data;
  const program = passed ? older : newest;
  const place = passed ? passed.phase + 1 : phase;
  const rules = moneyRules(currency);
  const initialBalance = numberOf(readNumber(balance, rules));
  const enrol = useEnrol(account.id);
  const preview = useEnrolmentPreview(account.id);
  const body: NewEnrolment | undefined = initialBalance
    ? {
        ...(passed
          ? { passed: { accountId: account.id, enrolmentId: passed.id } }
          : { programId, ...(version === undefined ? {} : { version }), phase }),
        initialBalance,
        ...(start === '' ? {} : { startBrokerTime: `${start.replace('T', ' ')}:00.000` }),
      }
    : undefined;
  const error = enrol.error ?? preview.error;
  const changed = (): void => {
    enrol.reset();
    preview.reset();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!body) return;
    await enrol.mutateAsync(body);
    showToast(`${account.name} is enrolled`);
    close();
  };
  const book = program?.phases[place - 1];
  return (
    <Dialog
      title={passed ? 'Enrol in the next phase' : 'Enrol or try a program'}
      close={close}
      wide
    >
      {programs.error ? <ErrorNote error={programs.error} retry={programs.refetch} /> : null}
      {programs.isPending ? <Loading label="Loading programs" lines={4} /> : null}
      {programs.data?.length === 0 ? (
        <p>
          There is no program yet. <a href={path.programs()}>Make one</a> first.
        </p>
      ) : null}
      {program && !book ? <p>The last phase is passed: there is no next one.</p> : null}
      {program && book ? (
        <form
          className="rule-form"
          noValidate
          // A failure is in `error`.
          onSubmit={(event) => void submit(event).catch(() => undefined)}
        >
          <div className="stack">
            {passed ? null : (
              <div className="fields">
                <Field label="Program">
                  {(control) => (
                    <select
                      {...control}
                      value={programId}
                      onChange={({ target }) => {
                        setChosen(target.value);
                        setPhase(1);
                        changed();
                      }}
                    >
                      {programs.data?.map(({ id, name, version: newestVersion }) => (
                        <option key={id} value={id}>
                          {name}, version {newestVersion}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
                <Field label="Phase">
                  {(control) => (
                    <select
                      {...control}
                      value={phase}
                      onChange={({ target }) => {
                        setPhase(Number(target.value));
                        changed();
                      }}
                    >
                      {program.phases.map(({ name }, index) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: a phase is its place
                        <option key={index} value={index + 1}>
                          {index + 1}. {name}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              </div>
            )}
            <div className="fields">
              <NumberField
                label={`Initial balance, ${currency}`}
                required
                text={balance}
                change={(text) => {
                  setBalance(text);
                  changed();
                }}
                rules={rules}
                words={(value) => formatMoney(value, currency)}
                hint="What shares are of"
                error={faultOf(error, 'initialBalance', 'The initial balance')}
              />
              <Field
                label="Begins at (broker time)"
                hint="Empty: with the next snapshot or deal; a trial: with its history"
                error={faultOf(error, 'startBrokerTime', 'The beginning')}
              >
                {(control) => (
                  <input
                    {...control}
                    type="datetime-local"
                    value={start}
                    onChange={({ target }) => {
                      setStart(target.value);
                      changed();
                    }}
                  />
                )}
              </Field>
            </div>
            <FormError error={error} parameters={PARAMETERS} />
            <div className="actions">
              {may.write ? (
                <Button kind="primary" type="submit" disabled={!body} busy={enrol.isPending}>
                  Enrol the account
                </Button>
              ) : null}
              <Button
                disabled={!body}
                busy={preview.isPending}
                onClick={() => body && preview.mutate(body)}
              >
                Try on its history
              </Button>
              <Button onClick={close}>Cancel</Button>
            </div>
            <div aria-live="polite">
              {preview.data ? (
                <EnrolmentPreview found={preview.data} phase={book} currency={currency} />
              ) : null}
            </div>
          </div>
          <div>
            <h3>
              Phase {place}: {book.name}
            </h3>
            <PhaseBook phase={book} />
          </div>
        </form>
      ) : null}
    </Dialog>
  );
}

const moneyRules = (currency: string): NumberRules => {
  const digits = currencyDigits(currency);
  return { units: [currency], min: 10 ** -digits, max: 900_000_000_000, digits };
};
