import { type FormEvent, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { ApiError } from '../lib/api.ts';
import type { Draft } from '../lib/drafts.ts';
import { areAllShown } from '../lib/faults.ts';
import { nameOf } from '../lib/keys.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { type FieldTable, obstacleIn } from './field-table.ts';
import { Fields, type Typed } from './fields.tsx';
import { FormContext } from './form-context.ts';

type Props<F> = Typed<F> & {
  /** Its fields; the server's objections are told beside them. */
  fields: FieldTable<NoInfer<F>>;
  /** Why it was refused, such as the error of a mutation. */
  error?: unknown;
  /** What else keeps it from being sent: told when somebody tries. */
  obstacle?: string | undefined;
  /** A rejection is expected in `error`. */
  submit: () => unknown;
  className?: string;
  label?: string;
  /** What the button that sends it says; absent for those who may not. */
  action?: string | false | undefined;
  busy?: boolean;
  disabled?: boolean;
  /** What was typed into it before and not sent; see `useTyped`. */
  draft?: Draft | undefined;
  /** Leaves it unsent. */
  cancel?: (() => void) | false;
  cancelWords?: string;
  /** Beside these buttons. */
  beside?: ReactNode;
  /** Notes above them. */
  children?: ReactNode;
  /** Below them. */
  after?: ReactNode;
  /** In a column of its own, such as what is typed in words. */
  aside?: ReactNode;
};

/** What is filled in and sent: a table of fields, why it was not sent or refused, and buttons. */
export function Form<F extends object>(props: Props<F>) {
  const obstacle = props.obstacle ?? obstacleIn(props.fields, props.form);
  const [tries, setTries] = useState(0);
  const shown = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [parameters] = useState(() => new Set<string>());
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTries(tries + 1);
    // A second press may come before the page shows that the first is being sent.
    if (obstacle !== undefined || props.disabled || isSending.current) return;
    isSending.current = true;
    try {
      await props.submit();
      props.draft?.forget();
    } finally {
      isSending.current = false;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when somebody tries, not as they type
  useEffect(() => {
    if (tries > 0 && obstacle !== undefined) focusOnFault(shown.current);
  }, [tries]);
  const inside = (
    <>
      {props.draft?.isBack ? <Back draft={props.draft} /> : null}
      <Fields form={props.form} change={props.change} table={props.fields} />
      <Refusal />
      {props.children}
      <Buttons {...props} />
      {props.after === undefined ? null : <div aria-live="polite">{props.after}</div>}
    </>
  );
  return (
    <FormContext
      value={{ error: props.error, parameters, obstacle: tries > 0 ? obstacle : undefined }}
    >
      <form
        ref={shown}
        className={props.className ?? (props.aside ? 'form-beside' : 'form')}
        aria-label={props.label}
        noValidate
        onSubmit={(event) => void submit(event).catch(() => undefined)}
        onKeyDown={({ nativeEvent, currentTarget }) => {
          if (nameOf(nativeEvent) !== 'send') return;
          // In a text of lines Enter alone begins a line; what may not be pressed is not sent.
          nativeEvent.preventDefault();
          currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
        }}
      >
        {props.aside ? <div className="stack">{inside}</div> : inside}
        {props.aside ? <div className="stack">{props.aside}</div> : null}
      </form>
    </FormContext>
  );
}

function Back({ draft }: { draft: Draft }) {
  return (
    <p className="note" role="status">
      What you typed before and did not send is here again.{' '}
      <button type="button" className="link-button" onClick={draft.startAnew}>
        Start anew
      </button>
    </p>
  );
}

function Buttons<F>(props: Props<F>) {
  const { action, busy = false, disabled = false, cancelWords = 'Cancel', beside } = props;
  const cancel =
    props.cancel &&
    (() => {
      props.draft?.forget();
      if (props.cancel) props.cancel();
    });
  if (!action && !cancel && !beside) return null;
  return (
    <div className="form-buttons">
      {action ? (
        <Button kind="primary" type="submit" busy={busy} disabled={disabled}>
          {action}
        </Button>
      ) : null}
      {cancel ? <Button onClick={cancel}>{cancelWords}</Button> : null}
      {beside}
    </div>
  );
}

function Refusal() {
  const { error, parameters, obstacle } = use(FormContext);
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (error) focusOnFault(note.current?.closest('form'));
  }, [error]);
  const words = obstacle ?? (areAllShown(error, parameters) ? SOME_FIELDS : undefined);
  if (words)
    return (
      <p ref={note} className="note note-bad" role="alert">
        {words}
      </p>
    );
  if (!error) return null;
  // A platform's refusal is about the request as a whole, which its sentence says.
  const [fault, ...more] = error instanceof ApiError ? error.faults : [];
  const isWhole = fault?.parameter === 'request' && more.length === 0;
  return <ErrorNote error={isWhole ? new Error(`${fault.message}.`) : error} />;
}

const SOME_FIELDS = 'Some fields are not valid. Each says why.';

/** A field with a fault may be out of sight or folded away, as on a phone. */
function focusOnFault(form: HTMLFormElement | null | undefined): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}
