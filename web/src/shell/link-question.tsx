import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { keepSession, type Offered, signIn } from '../lib/session.ts';
import { useCurrentToken } from './use-current-token.ts';

/** A link wants to sign somebody else in: what is typed then would be theirs. */
export function LinkQuestion({ offered }: { offered: Offered }) {
  const current = useCurrentToken();
  const [problem, setProblem] = useState<unknown>();
  if ('problem' in offered) {
    return (
      <Dialog title="The link does not sign in" close={keepSession}>
        <div className="stack confirm">
          <p>{offered.problem}</p>
          <div className="actions confirm-buttons">
            <Button kind="primary" onClick={keepSession}>
              Stay as I am
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  const { by, name } = offered;
  return (
    <Dialog title="Sign in as somebody else?" close={keepSession}>
      <div className="stack confirm">
        <p>
          You are signed in as <strong>{current ? (current.name ?? 'the operator') : '…'}</strong>.
          The link that you opened signs you in as <strong>{name}</strong>: all you do afterwards is
          theirs.
        </p>
        {problem ? <ErrorNote error={problem} /> : null}
        <div className="actions confirm-buttons">
          <Button kind="primary" onClick={keepSession}>
            Stay as I am
          </Button>
          <Button onClick={() => void signIn(by).catch(setProblem)}>Sign in by the link</Button>
        </div>
      </div>
    </Dialog>
  );
}
