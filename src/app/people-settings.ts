import { Gauge, type Registry } from 'prom-client';
import { OpenIdProvider } from '../network/openid-provider.ts';
import type { Context, Invitations } from '../services/context.ts';
import type { ProviderRules } from '../services/sessions/provider-sign-in.ts';
import { IDLE_MS } from '../services/users/authenticate.ts';
import { countSessions } from '../storage/token-store.ts';
import { quotaSettings } from './quota-settings.ts';
import { withoutSlash } from './reference-settings.ts';
import type { Settings } from './settings.ts';
import { whileDatabaseAnswers } from './while-database-answers.ts';

/** The OpenID provider of the settings, if there is one. */
export function providerRules(settings: Settings, now: () => number): ProviderRules | undefined {
  const { PLIMSOLL_OIDC_ISSUER: issuer } = settings;
  if (issuer === undefined) return undefined;
  const provider = new OpenIdProvider(
    {
      issuer,
      clientId: settings.PLIMSOLL_OIDC_CLIENT_ID,
      clientSecret: settings.PLIMSOLL_OIDC_CLIENT_SECRET,
      scopes: settings.PLIMSOLL_OIDC_SCOPES,
      claims: settings.PLIMSOLL_OIDC_CLAIMS,
      home: withoutSlash(settings.PLIMSOLL_PUBLIC_URL),
    },
    now,
  );
  return {
    provider,
    user: settings.PLIMSOLL_OIDC_USER,
    isOpen: settings.PLIMSOLL_OIDC_PEOPLE === 'all',
    roles: settings.PLIMSOLL_OIDC_ROLES,
  };
}

/** What invitations by mail need, if the settings have all of it. */
export function invitationsOf(settings: Settings): Invitations | undefined {
  const home = withoutSlash(settings.PLIMSOLL_PUBLIC_URL);
  const { mailDomain } = quotaSettings(settings);
  return settings.SMTP_URL && home !== '' ? { home, mailDomain } : undefined;
}

export function registerSessionMetrics(registry: Registry, { database, now }: Context): void {
  new Gauge({
    name: 'plimsoll_sessions',
    help: 'Sessions of browsers that have not ended, of all processes',
    registers: [registry],
    collect: whileDatabaseAnswers(async function () {
      const sinceMs = now();
      this.set(await countSessions(database, { sinceMs, usedSinceMs: sinceMs - IDLE_MS }));
    }),
  });
}
