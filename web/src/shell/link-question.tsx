import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { keepSession, signIn } from '../lib/session.ts';
import { useCurrentToken } from './use-current-token.ts';

/** A link wants to sign somebody else in: what is typed then would be theirs. */
export function LinkQuestion(props: { offered: string }) {
  const current = useCurrentToken();
  const then = useNameOf(props.offered);
  return (
    <Dialog title="Sign in as somebody else?" close={keepSession}>
      <div className="stack confirm">
        <p>
          You are signed in as <strong>{nameIn(current)}</strong>. The link that you opened signs
          you in as <strong>{then}</strong>: all you do afterwards is theirs.
        </p>
        <div className="actions confirm-buttons">
          <Button kind="primary" onClick={keepSession}>
            Stay as I am
          </Button>
          <Button onClick={() => signIn(props.offered)}>Sign in by the link</Button>
        </div>
      </div>
    </Dialog>
  );
}

const nameIn = (known: { name?: string } | undefined): string =>
  known ? (known.name ?? 'the operator') : '…';

/** Who a token is for that is not the session's. */
function useNameOf(token: string): string {
  const [name, setName] = useState(nameIn(undefined));
  useEffect(() => {
    const gone = new AbortController();
    const headers = { 'auth-token': token };
    fetch('/users/current/token', { headers, signal: gone.signal })
      .then(async (answer) =>
        answer.ok ? ((await answer.json()) as { name?: string }) : undefined,
      )
      .then(
        (known) => setName(known ? nameIn(known) : 'nobody: it is refused'),
        () => gone.signal.aborted || setName('somebody whom the server did not name'),
      );
    return () => gone.abort();
  }, [token]);
  return name;
}
