import { Field } from '../../components/field.tsx';
import { faultOf } from '../../lib/faults.ts';
import type { ProfileDraft } from './new-profile-form.tsx';

/** How a real platform is reached, and whom to trust there. */
export function ServerFields(props: {
  draft: ProfileDraft;
  error: unknown;
  change: (changes: Partial<ProfileDraft>) => void;
}) {
  const { draft, error, change } = props;
  const isP5 = draft.kind === 'p5-web-api';
  const passwordLabel = isP5 ? 'Password' : 'Token of the bridge';
  return (
    <fieldset className="provisioning-part">
      <legend>Connection</legend>
      <div className="fields">
        <Field
          label="Server"
          required
          hint="https://host or https://host:port"
          error={faultOf(error, 'server', 'Server')}
        >
          {(control) => (
            <input
              {...control}
              type="url"
              autoComplete="off"
              spellCheck={false}
              value={draft.server}
              onChange={(event) => change({ server: event.target.value })}
            />
          )}
        </Field>
        {isP5 ? (
          <Field
            label="Login"
            required
            hint="Number of the manager account"
            error={faultOf(error, 'login', 'Login')}
          >
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                value={draft.login}
                onChange={(event) => change({ login: event.target.value })}
              />
            )}
          </Field>
        ) : null}
        <Field
          label={passwordLabel}
          required
          hint="Stored encrypted and never shown again"
          error={faultOf(error, 'password', passwordLabel)}
        >
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="new-password"
              value={draft.password}
              onChange={(event) => change({ password: event.target.value })}
            />
          )}
        </Field>
      </div>
      <details className="provisioning-trust">
        <summary>The server's certificate is self-signed or of a private authority</summary>
        <div className="fields">
          <Field
            label="Fingerprint"
            hint="SHA-256 of the only certificate to accept"
            error={faultOf(error, 'tlsFingerprint', 'Fingerprint')}
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={draft.tlsFingerprint}
                onChange={(event) => change({ tlsFingerprint: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Authority"
            hint="PEM of the authority to trust"
            error={faultOf(error, 'tlsCa', 'Authority')}
          >
            {(control) => (
              <textarea
                {...control}
                rows={3}
                spellCheck={false}
                value={draft.tlsCa}
                onChange={(event) => change({ tlsCa: event.target.value })}
              />
            )}
          </Field>
        </div>
      </details>
    </fieldset>
  );
}
