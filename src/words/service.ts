/** The scopes of a token. */
export const TOKEN_SCOPES = ['read', 'write', 'ingest', 'actions', 'admin'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/**
 * token: calls operations. person: signs in. session: that of a browser, in a cookie. code: begins
 * a session, once. Sessions and codes have the rights of the token or person that they are from,
 * and go with it.
 */
export const ACCESS_KINDS = ['token', 'person', 'session', 'code'] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** Whose names requests and answers have: ours, or those of the hosted product. */
export const COMPATIBILITIES = ['none', 'hosted'] as const;
export type Compatibility = (typeof COMPATIBILITIES)[number];

/** How tokens begin; one that is made for clients of the hosted product says so by itself. */
export const TOKEN_PREFIXES = { none: 'plm_', hosted: 'plmh_' } as const;
export const SESSION_PREFIXES = { session: 'plms_', code: 'plmc_' } as const;
export type SessionKind = keyof typeof SESSION_PREFIXES;
/** Sessions and codes of the operator's bootstrap token, and only of that. */
export const OPERATOR_PREFIX = 'plmo_';

/**
 * What a user may hold in one region. Each limit counts accounts that exist:
 * - maxAccounts: every account, deployed or not;
 * - maxDeployedG1Accounts, maxDeployedG2Accounts: deployed accounts of that tier;
 * - maxDeployedCopyAccounts: deployed accounts that take part in copying, of either tier;
 * - maxDedicatedIpv4: accounts with a dedicated IPv4 address, deployed or not, because the address
 *   is kept as long as the account asks for it.
 */
export const QUOTA_NAMES = [
  'maxAccounts',
  'maxDeployedG1Accounts',
  'maxDeployedG2Accounts',
  'maxDeployedCopyAccounts',
  'maxDedicatedIpv4',
] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];

export const QUOTA_REQUEST_STATES = ['pending', 'approved', 'declined'] as const;
export type QuotaRequestState = (typeof QUOTA_REQUEST_STATES)[number];

export const QUOTA_DECISIONS = ['approve', 'decline'] as const;
export type QuotaDecision = (typeof QUOTA_DECISIONS)[number];

/**
 * queued: to be sent, or being sent. sent: a mail server took it. logged: written to the log
 * because there is no mail server. failed: given up. The last two can be queued again.
 */
export const MAIL_STATES = ['queued', 'sent', 'logged', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** When events are mailed. */
export const MAIL_TIMINGS = ['off', 'immediate', 'digest'] as const;
export type MailTiming = (typeof MAIL_TIMINGS)[number];

/**
 * How events are sent to a webhook: one after another or many in one request, both in the order of
 * the feed; or several requests at a time, in no order.
 */
export const WEBHOOK_DELIVERIES = ['single', 'batch', 'parallel'] as const;
export type WebhookDelivery = (typeof WEBHOOK_DELIVERIES)[number];

/** `storing` while the deals of a report file come in, `leaving` while they are taken back. */
export const IMPORT_STATES = ['storing', 'stored', 'leaving'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Incidents not acknowledged yet, or all. */
export const INCIDENT_CHOICES = ['open', 'all'] as const;
export type IncidentChoice = (typeof INCIDENT_CHOICES)[number];

export const INCIDENT_ENTRIES = ['acknowledged', 'reopened', 'assigned', 'noted'] as const;
export type IncidentEntryKind = (typeof INCIDENT_ENTRIES)[number];

export const SORT_ORDERS = ['ascending', 'descending'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Results of a check of the surroundings, the worst last. */
export const FINDING_STATES = ['unused', 'good', 'warning', 'bad'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

/** Why a sign-in at the OpenID provider led to no session, for the page to which it comes back. */
export const SIGN_IN_REFUSALS = {
  state: 'The sign-in took too long, or began in another browser. Sign in again.',
  denied: 'Your provider did not sign you in.',
  invalid: 'The answer of your provider does not hold, so nobody was signed in. Tell the operator.',
  unreachable: 'Your provider does not answer. Try again later.',
  busy: 'Too many sign-ins came from your address. Wait a minute and try again.',
  unknown: 'Your provider knows you, but nobody has invited you here. Ask an owner.',
  email: 'Your provider vouches for no e-mail address of yours. Have it confirmed there.',
  other: 'Your e-mail address belongs to another account of your provider. Ask an owner.',
  group: 'None of your groups at your provider has a role here. Ask the operator.',
  full: 'You cannot be added right now. Try again; if that fails, ask an owner.',
} as const;
export type SignInRefusal = keyof typeof SIGN_IN_REFUSALS;
