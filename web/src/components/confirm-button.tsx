import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Check } from './check.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

/** What is asked, and what is done: as they stood when the button was pressed. */
type Asked<Subject> = {
  question: string;
  /** The consequences, and the things that stay. */
  consequence: ReactNode;
  /** The text of the confirming button. */
  confirm: string;
  /** Danger if it is irreversible. */
  kind?: 'danger' | 'plain';
  /** What it is done to: the very input of the work. */
  subject: Subject;
  /** A box in the question, and what it is done to if that is ticked. */
  choice?: { words: string; subject: Subject };
};

type Props<Subject, Result> = Asked<Subject> & {
  children: ReactNode;
  /** For screen readers, if the button's text is ambiguous. */
  label?: string;
  /**
   * Does it, and tells how that goes. It is given nothing but the subject, so it can't do more than
   * was asked: work that needs none does not compile.
   */
  work: {
    isPending: boolean;
    error: unknown;
    mutateAsync: (subject: Subject) => Promise<Result>;
  };
  /** Once it is done. */
  done?: (result: Result) => void;
  /** What came since it was asked, and stays as it is. */
  meanwhile?: (subject: Subject) => ReactNode;
};

/** A button for irreversible work: it asks first, and stays open until the work is done. */
export function ConfirmButton<Subject, Result>(props: Props<Subject, Result>) {
  const { question, consequence, confirm, kind = 'danger', subject, choice } = props;
  const [asked, setAsked] = useState<Asked<Subject>>();
  return (
    <>
      <Button
        kind={kind}
        size="small"
        {...(props.label ? { 'aria-label': props.label } : {})}
        onClick={() =>
          setAsked({ question, consequence, confirm, kind, subject, ...(choice ? { choice } : {}) })
        }
      >
        {props.children}
      </Button>
      {asked ? <Question {...props} {...asked} close={() => setAsked(undefined)} /> : null}
    </>
  );
}

function Question<Subject, Result>(props: Props<Subject, Result> & { close: () => void }) {
  const { kind, work, close, done, meanwhile, choice } = props;
  const [isChosen, setChosen] = useState(false);
  const subject = choice && isChosen ? choice.subject : props.subject;
  const confirm = (): void => {
    // A failure is in `error` and keeps the question open.
    work.mutateAsync(subject).then(
      (result) => {
        close();
        done?.(result);
      },
      () => undefined,
    );
  };
  return (
    <Dialog title={props.question} close={close}>
      <div className="stack confirm">
        <p>{props.consequence}</p>
        {choice ? (
          <Check isOn={isChosen} set={setChosen}>
            {choice.words}
          </Check>
        ) : null}
        {meanwhile ? <div aria-live="polite">{meanwhile(subject)}</div> : null}
        {work.error ? <ErrorNote error={work.error} /> : null}
        <div className="actions confirm-buttons">
          <Button onClick={close}>{kind === 'plain' ? 'Cancel' : 'Keep it'}</Button>
          <Button
            kind={kind === 'plain' ? 'primary' : 'danger'}
            busy={work.isPending}
            onClick={confirm}
          >
            {props.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
