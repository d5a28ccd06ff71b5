import { useState } from 'react';
import { Form } from '../components/form.tsx';
import { useTyped } from '../lib/edits.ts';
import { type SignOutReason, signIn } from '../lib/session.ts';
import { Mark } from './mark.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const WORDS = {
  asked: 'You are signed out.',
  ended: 'Your session has ended: its time is over, or it or its token was revoked.',
};

export function SignInPage(props: { reason: SignOutReason | undefined; hasProvider: boolean }) {
  const typed = useTyped({ token: '' });
  const { token } = typed.form;
  const { reason } = props;
  const [problem, setProblem] = useState<unknown>(reason instanceof Error ? reason : undefined);
  const [isBusy, setBusy] = useState(false);
  const enter = (): void => {
    if (token.trim() === '') {
      setProblem(new Error('Paste a token first.'));
      return;
    }
    setBusy(true);
    signIn({ token: token.trim() })
      .catch(setProblem)
      .finally(() => setBusy(false));
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
        {typeof reason === 'string' ? (
          <p className="note" role={reason === 'ended' ? 'alert' : 'status'}>
            {WORDS[reason]}
          </p>
        ) : null}
        {props.hasProvider ? (
          <a className="button button-primary" href="/session/provider">
            Sign in with your provider
          </a>
        ) : null}
        <Form
          {...typed}
          fields={[
            {
              name: 'token',
              label: 'Access token',
              hint: 'It is exchanged for a session of this browser, and not kept here.',
              required: true,
              type: 'password',
            },
          ]}
          error={problem}
          submit={enter}
          action="Sign in"
          busy={isBusy}
        />
        <p className="hint">
          No token? <code>npm start</code> prints a link that signs you in to a demo. Operators make
          tokens with <code>plimsoll token create</code> or on the Operator page.
        </p>
      </div>
    </main>
  );
}
