import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountRecord } from '../../../src/contract/operations/accounts.ts';
import type { listProfilesOperation } from '../../../src/contract/operations/profiles.ts';
import { ACTION_TITLES, ACTION_WORDS, type ActionWord } from '../actions/action-words.ts';
import { Field } from '../components/field.tsx';
import { call } from '../lib/api.ts';
import { faultOf } from '../lib/faults.ts';
import { path } from '../lib/path.ts';
import { useMay } from '../shell/use-may.ts';
import type { ActionForm } from './rule-form.ts';

type Props = {
  form: ActionForm;
  /** Absent for a rule of no account, which is not held against a profile yet. */
  account?: AccountRecord;
  error: unknown;
  change: (changes: Partial<ActionForm>) => void;
};

/** What is done to the account on its platform when the loss limit is broken. */
export function ActionFields(props: Props) {
  const { form, account, error } = props;
  const { wholeUser } = useMay();
  const [isOpen, setOpen] = useState(form.actions.length > 0);
  const allowed = useAllowed(account?.profileId);
  const obstacle = !wholeUser
    ? 'A token restricted to specific accounts cannot choose actions.'
    : account && account.profileId === undefined
      ? 'Actions go through a provisioning profile: bind the account to one in its settings.'
      : undefined;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>At the breach</summary>
      <div className="stack rule-more">
        {obstacle ? <p className="hint">{obstacle}</p> : <Choices {...props} allowed={allowed} />}
        <p className="field-error">{faultOf(error, 'actions', 'Actions')}</p>
      </div>
    </details>
  );
}

function Choices({ form, account, error, change, allowed }: Props & { allowed: Allowed }) {
  const isChosen = (word: ActionWord): boolean => form.actions.includes(word);
  const toggle = (word: ActionWord, isOn: boolean): void => {
    const others = form.actions.filter((each) => each !== word);
    const added = ACTION_WORDS.filter((each) => each === word || others.includes(each));
    change({ actions: isOn ? added : others });
  };
  const toggleDryRun = (word: ActionWord, isOn: boolean): void => {
    const others = form.dryRuns.filter((each) => each !== word);
    change({ dryRuns: isOn ? [...others, word] : others });
  };
  const { act } = useMay();
  // A dry run needs no right.
  const isReal = (word: ActionWord): boolean => !form.dryRuns.includes(word);
  const isMissing = (word: ActionWord): boolean =>
    allowed !== undefined && isReal(word) && !(allowed.has('actAtBreach') && allowed.has(word));
  return (
    <>
      <fieldset className="rule-actions">
        <legend>On the platform, when the loss limit is broken</legend>
        {ACTION_WORDS.map((word) => (
          <div key={word} className="row">
            <label className="check">
              <input
                type="checkbox"
                checked={isChosen(word)}
                onChange={({ target }) => toggle(word, target.checked)}
              />
              {ACTION_TITLES[word]}
            </label>
            {isChosen(word) ? (
              <label className="check">
                <input
                  type="checkbox"
                  checked={form.dryRuns.includes(word)}
                  onChange={({ target }) => toggleDryRun(word, target.checked)}
                />
                Dry run<span className="visually-hidden"> of “{ACTION_TITLES[word]}”</span>
              </label>
            ) : null}
            {isMissing(word) ? (
              <span className={isChosen(word) ? 'field-error' : 'hint'}>
                The profile does not allow it yet
              </span>
            ) : null}
          </div>
        ))}
      </fieldset>
      {isChosen('moveToGroup') ? (
        <Field
          label="Group"
          required
          hint="As the platform names it, such as breached\usd"
          error={faultOf(error, `actions.${form.actions.length - 1}.group`, 'The group')}
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              spellCheck={false}
              maxLength={256}
              value={form.actionGroup}
              onChange={(event) => change({ actionGroup: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      <p className="hint">A dry run records what would be done, and does nothing.</p>
      {form.actions.some(isMissing) ? (
        <p className="hint">
          Allow the action and “Act at breaches” in the account’s{' '}
          <a href={path.provisioning({ profile: account?.profileId })}>provisioning profile</a>.
          Only a dry run needs no right.
        </p>
      ) : null}
      {!act && form.actions.some(isReal) ? (
        <p className="hint">
          Your token lacks the scope <code>actions</code>: sign in with one that has it, or choose
          dry runs.
        </p>
      ) : null}
    </>
  );
}

type Allowed = ReadonlySet<string> | undefined;

/** What the profile allows; undefined while that is not known. */
function useAllowed(profileId: string | undefined): Allowed {
  const { wholeUser } = useMay();
  const { data } = useQuery({
    queryKey: ['profiles'],
    queryFn: ({ signal }) =>
      call<typeof listProfilesOperation>('GET /users/current/provisioning-profiles', {}, signal),
    enabled: wholeUser && profileId !== undefined,
  });
  const profile = data?.find(({ id }) => id === profileId);
  return profile && new Set(profile.allowedActions);
}
