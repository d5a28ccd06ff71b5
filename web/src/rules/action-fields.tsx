import { useState } from 'react';
import type { AccountRecord } from '../../../src/contract/operations/accounts.ts';
import {
  ACTION_CONFIRMATIONS,
  ACTION_MOMENTS,
  BREACH_ACTIONS,
  type BreachActionWord,
} from '../../../src/words/actions.ts';
import { wordsOf } from '../../../src/words/words-of.ts';
import { useProfiles } from '../accounts/use-profile-field.ts';
import { Check } from '../components/check.tsx';
import { optionsOf } from '../components/choice-field.tsx';
import { useFault } from '../components/form-context.ts';
import { TextField } from '../components/text-field.tsx';
import { path } from '../lib/path.ts';
import { useMay } from '../shell/use-may.ts';
import { type ActionForm, firstMomentOf } from './rule-form.ts';

type Props = {
  form: ActionForm;
  /** Absent for a rule without an account, which is not checked against a profile yet. */
  account?: AccountRecord;
  /** Of a phase: done when it is passed, and at no other moment. */
  isPassing?: boolean;
  change: (changes: Partial<ActionForm>) => void;
};

/** Actions on the account's platform when the loss limit is broken, or the phase passed. */
export function ActionFields(props: Props) {
  const { form, account, isPassing } = props;
  const { wholeUser } = useMay();
  const [isOpen, setOpen] = useState(form.actions.length > 0);
  const fault = useFault('actions', 'Actions');
  const obstacle = !wholeUser
    ? 'A token restricted to specific accounts cannot choose actions.'
    : account && account.profileId === undefined
      ? 'Actions go through a provisioning profile: bind the account to one in its settings.'
      : undefined;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{isPassing ? 'When it is passed' : 'At the breach'}</summary>
      <div className="stack form-more">
        {obstacle ? <p className="hint">{obstacle}</p> : <Actions {...props} />}
        <p className="field-error">{fault}</p>
      </div>
    </details>
  );
}

function Actions({ form, account, change, isPassing = false }: Props) {
  const allowed = useAllowed(account?.profileId);
  const isMissing = (word: BreachActionWord): boolean =>
    allowed !== undefined &&
    isReal(form, word) &&
    !(allowed.has('actAtBreach') && allowed.has(word));
  return (
    <>
      <fieldset className="rule-actions">
        <legend>
          On the platform, when {isPassing ? 'the phase is passed' : 'the loss limit is broken'}
        </legend>
        {WORDS.filter((word) => !isPassing || word !== 'enableTrading').map((word) => (
          <ActionChoice
            key={word}
            word={word}
            form={form}
            hasMoments={!isPassing}
            isMissing={isMissing(word)}
            change={change}
          />
        ))}
      </fieldset>
      {form.actions.includes('moveToGroup') ? (
        <TextField
          label="Group"
          parameter={`actions.${form.actions.length - 1}.group`}
          required
          hint="As the platform names it, such as breached\usd"
          maxLength={256}
          text={form.actionGroup}
          change={(actionGroup) => change({ actionGroup })}
        />
      ) : null}
      <p className="hint">
        A dry run records what would be done, and does nothing. What the platform or a person does
        not confirm waits, and is named on the page of actions.
      </p>
      <MissingRights
        form={form}
        profileId={account?.profileId}
        isMissing={form.actions.some(isMissing)}
      />
    </>
  );
}

/** A dry run needs no right. */
const WORDS = wordsOf(BREACH_ACTIONS);
const CONFIRMATIONS = optionsOf(ACTION_CONFIRMATIONS);
const MOMENTS = optionsOf(ACTION_MOMENTS).filter(({ value }) => value !== 'passing');
const isReal = ({ dryRuns }: ActionForm, word: BreachActionWord): boolean =>
  !dryRuns.includes(word);

function ActionChoice(props: {
  word: BreachActionWord;
  form: ActionForm;
  hasMoments: boolean;
  /** Not allowed by the profile. */
  isMissing: boolean;
  change: (changes: Partial<ActionForm>) => void;
}) {
  const { word, form, change } = props;
  const { actions, dryRuns } = form;
  const isChosen = actions.includes(word);
  return (
    <div className="row">
      <Check
        isOn={isChosen}
        set={(isOn) =>
          change({
            actions: WORDS.filter((each) => (each === word ? isOn : actions.includes(each))),
          })
        }
      >
        {BREACH_ACTIONS[word]}
      </Check>
      {isChosen ? (
        <Check
          isOn={!isReal(form, word)}
          set={(isOn) =>
            change({ dryRuns: isOn ? [...dryRuns, word] : dryRuns.filter((each) => each !== word) })
          }
        >
          Dry run<span className="visually-hidden"> of “{BREACH_ACTIONS[word]}”</span>
        </Check>
      ) : null}
      {isChosen ? (
        <>
          {props.hasMoments ? (
            <Choice
              label={`What starts to ${BREACH_ACTIONS[word].toLowerCase()}`}
              value={form.moments[word] ?? firstMomentOf(word)}
              options={MOMENTS}
              set={(moment) => change({ moments: { ...form.moments, [word]: moment } })}
            />
          ) : null}
          <Choice
            label={`When to ${BREACH_ACTIONS[word].toLowerCase()}`}
            value={form.confirmations[word] ?? 'platform'}
            options={CONFIRMATIONS}
            set={(confirm) => change({ confirmations: { ...form.confirmations, [word]: confirm } })}
          />
        </>
      ) : null}
      {props.isMissing ? (
        <span className={isChosen ? 'field-error' : 'hint'}>The profile does not allow it yet</span>
      ) : null}
    </div>
  );
}

function Choice<W extends string>(props: {
  label: string;
  value: W;
  options: readonly { value: W; title: string }[];
  set: (value: W | undefined) => void;
}) {
  return (
    <select
      aria-label={props.label}
      value={props.value}
      onChange={({ target }) =>
        props.set(props.options.find(({ value }) => value === target.value)?.value)
      }
    >
      {props.options.map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** Rights of the profile and the token missing for the chosen actions. */
function MissingRights(props: {
  form: ActionForm;
  profileId: string | undefined;
  isMissing: boolean;
}) {
  const { form } = props;
  const { act } = useMay();
  return (
    <>
      {props.isMissing ? (
        <p className="hint">
          Allow the action and “Act at breaches” in the account’s{' '}
          <a href={path.provisioning({ profile: props.profileId })}>provisioning profile</a>. Only a
          dry run needs no right.
        </p>
      ) : null}
      {!act && form.actions.some((word) => isReal(form, word)) ? (
        <p className="hint">
          Your token lacks the scope <code>actions</code>: sign in with one that has it, or choose
          dry runs.
        </p>
      ) : null}
    </>
  );
}

type Allowed = ReadonlySet<string> | undefined;

/** The rights of the profile; undefined while unknown. */
function useAllowed(profileId: string | undefined): Allowed {
  const { wholeUser } = useMay();
  const { data } = useProfiles({ enabled: wholeUser && profileId !== undefined });
  const profile = data?.find(({ id }) => id === profileId);
  return profile && new Set(profile.allowedActions);
}
