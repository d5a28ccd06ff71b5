import Type, { type Static } from 'typebox';
import { storedDeal } from './operations/deals.ts';
import { newEnrolment } from './operations/enrolments.ts';
import { tracker } from './operations/trackers.ts';
import { amount, answerText, count, idText, isoTime } from './primitives.ts';

/*
 * What the audit says of each action: money in the currency and times as text, as in the records of
 * the API. Stored records have other fields, and fit none of these.
 */

const id = idText('Id');
const said = answerText(4096, 'Words');
const number = count('Number');
const yes = Type.Boolean();
const texts = Type.Array(said);
const optional = Type.Optional;
const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const record = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const maxima = Type.Record(Type.String(), Type.Number());
const quota = { requestId: id, region: said, requested: maxima, from: maxima };
const decision = record({ ...quota, to: maxima, message: orNull(said) });
const program = record({ programId: id, version: number, name: said });
const document = record({ name: said });
const handling = record({ incidentId: number, brokerTime: said, entry: number });
const quarantine = record({ accountNumber: number, position: number, reason: said });
const place = record({ partition: number, position: number });
const enrolment = record({ enrolmentId: id, to: said });
const person = record({
  ...{ personId: id, email: said, role: said, accounts: Type.Union([said, number]) },
});
const nothing = record({});
const atBreach = record({
  login: optional(said),
  ...{ breachActionId: number, trackerId: id, action: said, attempts: number, message: said },
});

const failed = Type.Array(record({ id: said, message: said }));
const settings = { group: optional(said), tradingEnabled: optional(yes) };
/** Of operations on a platform: what was asked for, by a person or at a breach, and the outcome. */
const operation = record({
  ...{ profileId: id, requestId: id, login: optional(said), message: optional(said) },
  ...{ breachActionId: optional(number), trackerId: optional(id), ...settings },
  change: optional(record({ ...settings, enabled: optional(yes), leverage: optional(number) })),
  ...{ alsoChanged: optional(texts), password: optional(said), isGiven: optional(yes) },
  ...{ type: optional(said), amount: optional(amount('Amount')), dealId: optional(id) },
  ...{ positionIds: optional(texts), cancelPendingOrders: optional(yes) },
  ...{ closed: optional(texts), cancelled: optional(texts), failed: optional(failed) },
  refused: optional(said),
});
export type OperationDetails = Given<Static<typeof operation>>;

export const AUDIT_DETAILS = {
  'account.created': record({
    ...{ name: said, platform: said, login: said, region: said, profileId: orNull(id) },
  }),
  // Settings by their names, of which none is money.
  'account.changed': Type.Record(Type.String(), Type.Unknown()),
  'account.deleted': record({ name: said, login: said }),
  'account.market-saved': record({ symbols: number, quotes: number }),
  'account-view.saved': document,
  'account-view.deleted': document,
  'rule-template.saved': document,
  'rule-template.deleted': document,
  'table-mapping.saved': document,
  'table-mapping.deleted': document,
  'breach-action.done': atBreach,
  'breach-action.escalated': atBreach,
  'breach-action.dry-run': atBreach,
  'breach-action.stopped': atBreach,
  'breach-action.retried': record({ breachActionIds: Type.Array(number), retried: number }),
  'breach-actions.enabled': nothing,
  'breach-actions.disabled': nothing,
  'conflict.settled': record({
    ...{ importId: id, dealId: id, positionId: id, field: said, stored: said, stated: said },
    kept: said,
  }),
  'deal.corrected': record({ from: storedDeal, to: storedDeal }),
  'deal.deleted': record({ deal: storedDeal }),
  'enrolment.created': record({ enrolmentId: id, ...newEnrolment.properties }),
  'enrolment.changed': enrolment,
  'enrolment.reinstated': enrolment,
  'event-mail.changed': record({ breaches: said, warnings: said }),
  'events.numbers-raised': record({ from: number, to: number }),
  'evidenceKey.rotated': record({ publicKey: said, isVouchedFor: yes }),
  'incident.acknowledged': handling,
  'incident.reopened': handling,
  'incident.assigned': handling,
  'incident.noted': handling,
  'journal.retried': Type.Union([place, quarantine]),
  'journal.skipped': Type.Union([place, quarantine]),
  'key.rotated': record({ keyId: id }),
  'mail.resent': record({ mailId: id }),
  'person.invited': person,
  'person.changed': person,
  'person.recognised': record({ personId: id, email: said, subject: said }),
  'person.removed': record({ personId: id, email: said, madeBy: optional(id) }),
  'profile.created': record({
    ...{ profileId: id, platform: said, kind: said, server: orNull(said), allowedActions: texts },
  }),
  'profile.changed': record({
    ...{ profileId: id, name: optional(said), allowedActions: optional(texts) },
    password: optional(said),
  }),
  'profile.deleted': record({ profileId: id, accounts: number }),
  'program.created': program,
  'program.updated': program,
  'program.deleted': program,
  'quota.requested': record(quota),
  'quota.request-updated': record(quota),
  'quota.approved': decision,
  'quota.declined': decision,
  'quota.set': record({ region: said, from: maxima, to: maxima }),
  'seals.set-aside': record({ fromNumber: number, reason: said }),
  'seals.resumed': record({ sealedTo: number }),
  'session.started': record({
    sessionId: id,
    by: said,
    from: said,
    device: said,
    expiresAt: isoTime('Ends'),
  }),
  'session.offered': record({ codeId: id, expiresAt: isoTime('When the code ends') }),
  'session.ended': record({ sessionId: id }),
  'session.refused': record({ reason: said, email: optional(said), from: said, device: said }),
  'statement.imported': record({
    ...{ importId: id, number, kind: said, contentHash: said, added: number },
  }),
  'statement.taken-back': record({
    ...{ importId: id, contentHash: said, kind: optional(said), deals: optional(number) },
    added: optional(number),
  }),
  'token.created': record({
    ...{ tokenId: id, name: orNull(said), scopes: texts },
    ...{ accounts: Type.Union([said, number]), expiresAt: optional(isoTime('When it ends')) },
  }),
  'token.rotated': record({
    tokenId: id,
    successorId: id,
    endsAt: isoTime('When the old one ends'),
  }),
  'token.revoked': record({ tokenId: id, name: orNull(said), madeBy: optional(id) }),
  'tracker.created': record({ ...tracker.properties, trackerId: id }),
  'tracker.deleted': record({ ...tracker.properties, trackerId: id }),
  'tracker.renamed': record({ trackerId: id, from: said, to: said }),
  'user.created': record({ email: said }),
  'user.deleted': record({
    ...{ email: said, accounts: number, tokens: number, webhooks: number, profiles: number },
  }),
  'webhook.created': record({ webhookId: id, url: said, events: optional(texts), delivery: said }),
  'webhook.deleted': record({ webhookId: id, url: said }),
  'webhook.replayed': record({
    ...{ webhookId: id, replayed: number, sequenceNumber: optional(number) },
  }),
  ...outcomesOf('open-account'),
  ...outcomesOf('change-account'),
  ...outcomesOf('set-password'),
  ...outcomesOf('balance-operation'),
  ...outcomesOf('close-positions'),
};

/** `started`, and how it ended. */
function outcomesOf<K extends string>(kind: K) {
  const words = ['started', 'done', 'failed', 'unknown'] as const;
  type Words = `platform.${K}.${(typeof words)[number]}`;
  const own = words.map((word) => [`platform.${kind}.${word}`, operation]);
  return Object.fromEntries(own) as Record<Words, typeof operation>;
}

export type AuditAction = keyof typeof AUDIT_DETAILS;
/** Fields that are undefined are not written. */
type Given<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };
export type AuditDetails<A extends AuditAction> = Given<Static<(typeof AUDIT_DETAILS)[A]>>;
