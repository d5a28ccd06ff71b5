import { unknownName } from '../contract/nearest.ts';
import type { Quotas } from '../domain/quotas/quotas.ts';
import { parseMailFrom } from '../network/smtp-settings.ts';
import { COMPATIBILITIES } from '../words/service.ts';
import { wordsOf } from '../words/words-of.ts';
import {
  adminToken,
  anyText,
  databaseUrl,
  groupRoles,
  integer,
  issuer,
  names,
  networks,
  oneOf,
  origins,
  privateHosts,
  quotaList,
  roles,
  secretKeys,
  share,
  smtpServer,
  url,
  urls,
  valuesOf,
} from './setting-readers.ts';

/**
 * Every setting of the environment: its name, what it is for, its default and how it is read. The
 * only table of settings: `serve --help`, the checks at the start and docs/settings.md follow it.
 */
export type Setting<T> = {
  description: string;
  default: string;
  /** Returns the value, or throws an Error whose message ends the line "NAME must …". */
  read: (text: string) => T;
};

/** A century, practically for ever. */
const MOST_DAYS = 36_500;
const KEPT_DAYS = { hours: 0, periods: 0, evidence: 0, events: 0, audit: 730 };

const CLAIMS = { email: 'email', name: 'name', groups: 'groups' };

const QUOTAS: Quotas = {
  maxAccounts: 100_000,
  maxDeployedG1Accounts: 100_000,
  maxDeployedG2Accounts: 100_000,
  maxDeployedCopyAccounts: 100_000,
  maxDedicatedIpv4: 1_000,
};

const setting = <T>(
  description: string,
  fallback: string,
  read: (text: string) => T,
): Setting<T> => ({
  description,
  default: fallback,
  read,
});

/**
 * Processes are alike, so the proxy splits by address; clients learn the addresses from
 * /openapi.json.
 */
const baseAddress = (name: string): Setting<string> =>
  setting(`Address of the ${name} operations, if a proxy splits them`, '', url('http', 'https'));

/** Values by name, as a setting is written. */
const written = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join();

export const SETTINGS = {
  PORT: setting('Port to listen on; 0 picks a free one', '8787', integer(0, 65535)),
  HOST: setting('Address to listen on', '127.0.0.1', anyText),
  PLIMSOLL_DATA: setting('Folder of the embedded database', './data', anyText),
  DATABASE_URL: setting(
    'postgres://… to use PostgreSQL instead of the embedded database',
    '',
    databaseUrl,
  ),
  NATS_URL: setting(
    'nats://host:4222,… of a cluster that holds the journal instead of PostgreSQL',
    '',
    urls('nats', 'tls'),
  ),
  NATS_MONITOR_URL: setting(
    'http://host:8222,… monitoring address of each NATS server, whose settings are then checked',
    '',
    (value) => urls('http', 'https')(value).split(',').filter(Boolean),
  ),
  PLIMSOLL_ROLES: setting(
    'What this process does: all, or a list of api, engine, jobs',
    'all',
    roles,
  ),
  PLIMSOLL_QUIET_JOBS: setting(
    'on: send no e-mails or webhooks, and leave platforms alone; for a restored copy',
    'off',
    (value) => oneOf(['off', 'on'])(value) === 'on',
  ),
  PLIMSOLL_ADMIN_TOKEN: setting(
    'Bootstrap token of the operator, for /admin: at least 32 characters',
    '',
    adminToken,
  ),
  PLIMSOLL_SECRET_KEY: setting(
    'Encrypts stored secrets: 32 bytes in base64; more after commas only decrypt',
    '',
    secretKeys,
  ),
  PLIMSOLL_ALLOW_MISSING_KEYS: setting(
    'on: start although keys are missing that decrypt stored secrets',
    'off',
    (value) => oneOf(['off', 'on'])(value) === 'on',
  ),
  PLIMSOLL_PRIVATE_PLATFORMS: setting(
    'Local and private platforms that profiles may reach: none, all, or hosts',
    'none',
    privateHosts,
  ),
  PLIMSOLL_SIMULATED_PLATFORMS: setting(
    'off: no user may have simulated platforms',
    'on',
    (value) => oneOf(['off', 'on'])(value) === 'on',
  ),
  PLIMSOLL_REGIONS: setting(
    'Names of the regions that accounts may be in; the first is the default',
    'main',
    names,
  ),
  PLIMSOLL_QUOTAS: setting(
    'What a user may have in a region unless an operator set more or less',
    written(QUOTAS),
    (value): Quotas => ({ ...QUOTAS, ...quotaList(value) }),
  ),
  PLIMSOLL_QUOTA_CEILINGS: setting(
    'Quota requests up to these maxima are approved at once, the others by an operator',
    '',
    quotaList,
  ),
  PLIMSOLL_REQUESTS_PER_MINUTE: setting(
    'Requests per minute for one token; 0: no limit',
    '0',
    integer(0, 10_000_000),
  ),
  PLIMSOLL_STORED_MB_PER_USER: setting(
    'MiB that one user may have stored; 0: no limit',
    '0',
    integer(0, 1_000_000),
  ),
  PLIMSOLL_REFUSALS_PER_MINUTE: setting(
    'Refused requests (401, 403, 404, 429) per minute from one address; 0: no limit',
    '6000',
    integer(0, 10_000_000),
  ),
  PLIMSOLL_TRUSTED_PROXIES: setting(
    'Addresses and networks of proxies whose x-forwarded-for is trusted',
    '',
    networks,
  ),
  PLIMSOLL_COMPATIBILITY: setting(
    "Whose names requests and answers have: none for Plimsoll's own, or hosted",
    'none',
    oneOf(COMPATIBILITIES),
  ),
  PLIMSOLL_CORS_ORIGINS: setting('Origins whose web pages may call the API', '', origins),
  PLIMSOLL_JOURNAL_RETENTION_HOURS: setting(
    'How long journal entries are kept from their receipt on; 0: until they are folded',
    '0',
    integer(0, 87_600),
  ),
  PLIMSOLL_KEEP_DAYS: setting(
    'Days to keep hours, periods, evidence, events and the audit; 0: forever',
    written(KEPT_DAYS),
    (value) => ({ ...KEPT_DAYS, ...valuesOf(wordsOf(KEPT_DAYS), integer(0, MOST_DAYS))(value) }),
  ),
  PLIMSOLL_WEBHOOK_PRIVATE: setting(
    'Whether webhooks may reach private, loopback and link-local addresses: refuse or allow',
    'refuse',
    oneOf(['refuse', 'allow']),
  ),
  PLIMSOLL_TSA_URL: setting(
    'Authority that stamps the heads of the trees of events with its time (RFC 3161)',
    '',
    url('http', 'https'),
  ),
  PLIMSOLL_PAGE_CACHE_MB: setting(
    'Memory for caching pages of trades and charts',
    '128',
    integer(0, 65_536),
  ),
  SMTP_URL: setting(
    'Mail server, smtp://user:password@host:587 or smtps://…; without it e-mails go to the log',
    '',
    smtpServer,
  ),
  MAIL_FROM: setting('Sender of e-mails', 'Plimsoll <plimsoll@localhost>', parseMailFrom),
  PLIMSOLL_PUBLIC_URL: setting(
    'Address at which users reach this server',
    '',
    url('http', 'https'),
  ),
  PLIMSOLL_OIDC_ISSUER: setting(
    'OpenID provider at which people sign in, https://…; without it they use one-time codes',
    '',
    issuer,
  ),
  PLIMSOLL_OIDC_CLIENT_ID: setting('Name of this server at the OpenID provider', '', anyText),
  PLIMSOLL_OIDC_CLIENT_SECRET: setting('Its password there', '', anyText),
  PLIMSOLL_OIDC_USER: setting(
    'User whose people sign in at the OpenID provider: an id or e-mail address',
    '',
    anyText,
  ),
  PLIMSOLL_OIDC_PEOPLE: setting(
    'Who may sign in at the OpenID provider: invited people, or all it knows',
    'invited',
    oneOf(['invited', 'all']),
  ),
  PLIMSOLL_OIDC_ROLES: setting(
    'Roles by groups of the OpenID provider, the first that fits: desk-leads=owner,desk=risk',
    '',
    groupRoles,
  ),
  PLIMSOLL_OIDC_SCOPES: setting(
    'What is asked of the OpenID provider, words with spaces between',
    'openid email profile',
    anyText,
  ),
  PLIMSOLL_OIDC_CLAIMS: setting(
    'Claims of the OpenID provider that have the e-mail address, the name and the groups',
    'email=email,name=name,groups=groups',
    (value) => ({ ...CLAIMS, ...valuesOf(wordsOf(CLAIMS), anyText)(value) }),
  ),
  PLIMSOLL_STATS_URL: baseAddress('statistics'),
  PLIMSOLL_RISK_URL: baseAddress('risk'),
  PLIMSOLL_CLIENT_URL: baseAddress('client'),
  PLIMSOLL_MANAGER_URL: baseAddress('manager'),
  PLIMSOLL_PROVISIONING_URL: baseAddress('provisioning'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'Collector of OpenTelemetry traces, http://127.0.0.1:4318; without it nothing is traced',
    '',
    url('http', 'https'),
  ),
  OTEL_SERVICE_NAME: setting('Name of this process in traces', 'plimsoll', anyText),
  OTEL_TRACES_SAMPLER_ARG: setting(
    'Share of requests that are traced unless their sender decided: 0 to 1',
    '1',
    share,
  ),
  LOG_LEVEL: setting(
    'How much to log',
    'info',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  ),
};

export type Settings = {
  [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']>;
};

/**
 * Reads the environment; every bad setting is one line in `problems`. Empty values count as absent.
 */
export function readSettings(environment: Record<string, string | undefined>): {
  settings: Settings;
  problems: string[];
} {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, { default: fallback, read }]) => {
    try {
      return [name, read(environment[name] || fallback)];
    } catch (error) {
      problems.push(`${name} must ${error instanceof Error ? error.message : String(error)}`);
      return [name, undefined];
    }
  });
  if (environment.NATS_URL && !environment.DATABASE_URL) {
    problems.push('NATS_URL requires DATABASE_URL: a journal of many processes needs one database');
  }
  const needed = OF_PROVIDER.filter((name) => !environment[name]);
  if (environment.PLIMSOLL_OIDC_ISSUER && needed.length > 0)
    problems.push(`PLIMSOLL_OIDC_ISSUER requires ${needed.join(', ')}, too`);
  problems.push(...unknownSettings(environment));
  return { settings: Object.fromEntries(entries) as Settings, problems };
}

const OF_PROVIDER = [
  'PLIMSOLL_OIDC_CLIENT_ID',
  'PLIMSOLL_OIDC_CLIENT_SECRET',
  'PLIMSOLL_OIDC_USER',
  'PLIMSOLL_PUBLIC_URL',
];

/** Set by Kubernetes and Docker for a service called plimsoll. */
const OF_SERVICES = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?$/;

/** Settings of the tests, the benchmarks and the dashboard's own server. */
const OF_DEVELOPERS = /^PLIMSOLL_(?:TEST_\w+|BENCH_\w+|CHROMIUM|API)$/;

/** A misspelt setting would silently do nothing. */
function unknownSettings(environment: Record<string, string | undefined>): string[] {
  const names = Object.keys(SETTINGS);
  return Object.keys(environment)
    .filter((name) => name.startsWith('PLIMSOLL_') && !names.includes(name))
    .filter((name) => !OF_SERVICES.test(name) && !OF_DEVELOPERS.test(name))
    .map((name) => `${name} ${unknownName(name, names)}`);
}

/** The settings as a table for `--help`. */
export function describeSettings(): string {
  const lines = Object.entries(SETTINGS).map(
    ([name, { description, default: fallback }]) =>
      `  ${name.padEnd(29)} ${description}${fallback ? ` (${fallback})` : ''}`,
  );
  return ['Environment:', ...lines].join('\n');
}
