import { Page } from '../../components/page.tsx';
import { useCurrentToken } from '../../shell/use-current-token.ts';
import { useMay } from '../../shell/use-may.ts';
import { ownTokens } from '../../tokens/token-source.ts';
import { Tokens } from '../../tokens/tokens.tsx';
import { EventMailCard } from './event-mail.tsx';
import './integrations.css';
import { Webhooks } from './webhooks.tsx';

/** Connections of other software with this user: events out, tokens in. */
export function IntegrationsPage() {
  const token = useCurrentToken();
  const may = useMay();
  const isWhole = token !== undefined && token.accountIds === undefined;
  return (
    <Page
      title="Integrations"
      lead={
        <>
          Events to your own software and by e-mail, and tokens. <a href="/docs">API reference</a>
        </>
      }
    >
      {isWhole ? (
        <>
          <Webhooks />
          {may.wholeUser ? <EventMailCard /> : null}
          <Tokens source={ownTokens(may.write ? token.scopes : [])} />
        </>
      ) : token ? (
        <p className="note">
          You see specific accounts only. Webhooks, e-mails and tokens are for all accounts of the
          user: whoever sees all of them manages these.
        </p>
      ) : null}
    </Page>
  );
}
