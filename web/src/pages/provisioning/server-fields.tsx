import { TextField } from '../../components/text-field.tsx';
import type { ProfileDraft } from './profile-draft.ts';

/** How a real platform is reached, and whom to trust there. */
export function ServerFields(props: {
  draft: ProfileDraft;
  change: (changes: Partial<ProfileDraft>) => void;
}) {
  const { draft, change } = props;
  const isP5 = draft.kind === 'p5-web-api';
  return (
    <fieldset className="provisioning-part">
      <legend>Connection</legend>
      <div className="fields">
        <TextField
          label="Server"
          parameter="server"
          required
          hint="https://host or https://host:port"
          type="url"
          text={draft.server}
          change={(server) => change({ server })}
        />
        {isP5 ? (
          <TextField
            label="Login"
            parameter="login"
            required
            hint="Number of the manager account"
            inputMode="numeric"
            text={draft.login}
            change={(login) => change({ login })}
          />
        ) : null}
        <TextField
          label={isP5 ? 'Password' : 'Token of the bridge'}
          parameter="password"
          required
          hint="Stored encrypted and never shown again"
          type="password"
          autoComplete="new-password"
          text={draft.password}
          change={(password) => change({ password })}
        />
      </div>
      <details className="provisioning-trust">
        <summary>The server's certificate is self-signed or of a private authority</summary>
        <div className="fields">
          <TextField
            label="Fingerprint"
            parameter="tlsFingerprint"
            hint="SHA-256 of the only certificate to accept"
            text={draft.tlsFingerprint}
            change={(tlsFingerprint) => change({ tlsFingerprint })}
          />
          <TextField
            label="Authority"
            parameter="tlsCa"
            hint="PEM of the authority to trust"
            lines={3}
            text={draft.tlsCa}
            change={(tlsCa) => change({ tlsCa })}
          />
        </div>
      </details>
    </fieldset>
  );
}
