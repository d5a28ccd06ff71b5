import { useState } from 'react';
import { Form } from '../components/form.tsx';
import { useTyped } from '../lib/edits.ts';
import { type SignOutReason, signIn } from '../lib/session.ts';
import { Mark } from './mark.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const WORDS: Record<SignOutReason, string | undefined> = {
  asked: 'You are signed out. The token is no longer in this browser.',
  refused: undefined,
};

export function SignInPage(props: { reason: SignOutReason | undefined }) {
  const typed = useTyped({ token: '' });
  const { token } = typed.form;
  const [problem, setProblem] = useState<unknown>(
    props.reason === 'refused'
      ? new Error('The token was refused: it is wrong, expired or revoked.')
      : undefined,
  );
  const enter = (): void => {
    if (token.trim() === '') setProblem(new Error('Paste a token first.'));
    else signIn(token);
  };
  return (
    <main className="sign-in">
      <div className="sign-in-top">
        <ThemeSwitch />
      </div>
      <div className="card sign-in-card">
        <div className="brand">
          <Mark />
          <h1>Plimsoll</h1>
        </div>
        <p>Statistics, risk trackers, margin and provisioning for your trading accounts.</p>
        {props.reason && WORDS[props.reason] ? <p className="note">{WORDS[props.reason]}</p> : null}
        <Form
          {...typed}
          fields={[
            {
              name: 'token',
              label: 'Access token',
              hint: 'It stays in the open tabs of this browser and is forgotten when you close them.',
              required: true,
              type: 'password',
            },
          ]}
          error={problem}
          submit={enter}
          action="Sign in"
        />
        <p className="hint">
          No token? <code>npm start</code> prints a link that signs you in to a demo. Operators make
          tokens with <code>plimsoll token create</code> or on the Operator page.
        </p>
      </div>
    </main>
  );
}
