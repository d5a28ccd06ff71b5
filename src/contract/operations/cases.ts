import Type, { type Static } from 'typebox';
import { MAX_VIOLATION_DEALS } from '../../words/programs.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerClock,
  brokerTimeText,
  count,
  idText,
  isoTime,
  MAX_PAGE,
  page,
  pathId,
  record,
  words,
} from '../primitives.ts';
import { breachAction } from './breach-actions.ts';
import { enrolmentFigures, objectiveProgress, ruleViolation } from './enrolments.ts';
import { computing } from './historical-trades.ts';
import { handling } from './incidents.ts';
import { positionType } from './platform-actions.ts';
import { MAX_RULES, programPhase } from './programs.ts';
import { event, evidenceSnapshots } from './tracker-events.ts';
import { MAX_ACTIONS, tracker } from './trackers.ts';

/** Deals that a statement shows, the first of the last day before the event. */
export const MAX_CASE_DEALS = 200;
/** Open positions that an annex shows, the first that were opened. */
export const MAX_CASE_POSITIONS = 200;

/** Characters of a statement or an annex at most: more than the longest that its schema allows. */
const MAX_SEALED_TEXT = 1_800_000;
/** Of a signed note: a head with the signatures of witnesses, and a proof before it. */
const MAX_NOTE = 16_000;
/** A proof has as many hashes as the size of the tree has binary digits, or one less. */
const MAX_HASHES = 53;

const hash = Type.String({ maxLength: 44, isAscii: true, description: 'SHA-256, base64' });
const hashes = (description: string) => Type.Array(hash, { maxItems: MAX_HASHES, description });
const note = (description: string) => answerText(MAX_NOTE, description, { isAscii: true });
const base64 = (description: string) => answerText(256, `${description}, base64`);
const publicKey = base64('Key of the signatures, Ed25519 as SubjectPublicKeyInfo');

const measured = record('CaseMeasurement', {
  initialBalance: amount('Balance at the start of the period'),
  baseline: amount('Baseline of drawdown or profit'),
  allowed: amount('The limit'),
  inclusive: Type.Boolean({ description: 'Whether reaching the limit breaks it' }),
  adjustment: amount('Money of deals taken out of the equity'),
  balance: amount('Balance of the snapshot'),
  equity: amount('Equity of the snapshot'),
  equation: answerText(400, 'Relation between the figures'),
});

const caseDeal = record('CaseDeal', {
  id: idText('Deal id'),
  type: answerText(64, 'Type of the deal'),
  brokerTime: brokerTimeText('When it was executed'),
  money: amount('Profit net of swap, commission and fee'),
});

const violationDeal = record('ViolationDeal', {
  ...caseDeal.properties,
  symbol: Type.Optional(answerText(64, 'Symbol')),
  volume: Type.Number({ description: 'Lots' }),
  positionId: Type.Optional(answerText(128, 'Position')),
});

const decision = record(
  'CaseDecision',
  {
    reason: answerText(1200, 'The cause'),
    by: Type.Optional(answerText(200, 'Who requested it, if it was not the rules')),
    cause: Type.Optional(Type.Integer({ description: 'Number of the event of the broken limit' })),
    startBrokerTime: Type.Optional(brokerTimeText('When the phase began')),
    figures: enrolmentFigures,
    objectives: Type.Array(objectiveProgress, {
      maxItems: MAX_RULES,
      description: 'In the order of the phase',
    }),
    lastTrade: Type.Optional(caseDeal),
    violation: Type.Optional(ruleViolation),
    violationDeals: Type.Optional(
      Type.Array(violationDeal, {
        maxItems: MAX_VIOLATION_DEALS,
        description: 'The deals that it names, as they are known at the sealing',
      }),
    ),
  },
  { description: 'The cause of a change of an enrolment' },
);

const statement = record(
  'CaseStatement',
  {
    format: Type.Integer({ description: '1' }),
    place: Type.Integer({ description: "Counts the user's sealed events, from 1" }),
    sealedAt: isoTime('When the event was sealed'),
    accountId: idText('Account id'),
    login: answerText(64, 'Login of the account'),
    broker: answerText(200, 'Broker of the account'),
    currency: answerText(5, 'Currency of the account'),
    brokerClock,
    sequenceNumber: Type.Integer({ description: 'Number of the event' }),
    event,
    tracker: Type.Optional(tracker),
    enrolment: Type.Optional(
      record('CaseEnrolment', {
        enrolmentId: idText('Enrolment id'),
        programId: idText('Program id'),
        version: Type.Integer({ description: 'Version of the program' }),
        phase: Type.Integer({ description: 'Counted from 1' }),
        rulebook: Type.Optional(programPhase),
      }),
    ),
    measured: Type.Optional(measured),
    /** Of a revision: the measurement of the revised event. */
    revised: Type.Optional(measured),
    decision: Type.Optional(decision),
    snapshots: evidenceSnapshots('The last ones when the event was found'),
    deals: Type.Array(caseDeal, {
      maxItems: MAX_CASE_DEALS,
      description: 'Known deals of the day before the event',
    }),
  },
  { description: 'The sealed statement about an event' },
);

export { statement as caseStatement };
export type CaseStatement = Static<typeof statement>;

const openPositions = record(
  'CaseOpenPositions',
  {
    source: words(['deals', 'none'], {
      description:
        'Source of the list; none: open positions are unknown, and the list means nothing',
    }),
    remark: answerText(400, 'How reliable that is'),
    openResult: Type.Optional(
      amount('Equity less balance at the event: the value of open positions and credit'),
    ),
    count: count('Number of known ones'),
    positions: Type.Array(
      record('CasePosition', {
        positionId: answerText(128, 'Position id'),
        type: positionType,
        symbol: Type.Optional(answerText(64, 'Symbol')),
        volume: Type.Number({ description: 'Open lots' }),
        openBrokerTime: brokerTimeText('When it was opened'),
        openPrice: Type.Optional(Type.Number({ description: 'Volume-weighted' })),
        incomplete: Type.Optional(
          Type.Boolean({ description: 'Deals of it are missing: the volume may differ' }),
        ),
      }),
      { maxItems: MAX_CASE_POSITIONS, description: 'In the order of opening' },
    ),
  },
  { description: 'Positions open at the event' },
);

const annex = record(
  'CaseAnnex',
  {
    format: Type.Integer({ description: '1' }),
    leaf: hash,
    generatedAt: isoTime('The moment described'),
    actions: Type.Array(breachAction, {
      maxItems: MAX_ACTIONS,
      description: 'Actions on the platform started by the event, or by its cause',
    }),
    ...handling,
    openPositions,
  },
  {
    description:
      'Facts about an event besides its statement, which may change: signed on each reading',
  },
);

export { annex as caseAnnex };
export type CaseAnnex = Static<typeof annex>;

/** Canonical JSON as one text: what is sealed or signed are its bytes. */
const sealedText = (contentSchema: Type.TSchema, description: string) =>
  answerText(MAX_SEALED_TEXT, description, { contentMediaType: 'application/json', contentSchema });

const MAX_TOKEN = 44_000;
const stamp = {
  size: Type.Integer({ description: 'Of the head that was stamped' }),
  token: answerText(MAX_TOKEN, 'By the authority, over the text of that head (RFC 3161), base64'),
};

export const caseFile = record(
  'CaseFile',
  {
    statement: sealedText(statement, 'CaseStatement as canonical JSON (RFC 8785): the leaf'),
    proof: note(
      'Proof that the leaf is in the tree, with the signed head of that (c2sp.org/tlog-proof)',
    ),
    annex: sealedText(annex, 'CaseAnnex as canonical JSON'),
    annexSignature: note('Signed note about the annex (c2sp.org/signed-note)'),
    stamp: Type.Optional(
      record(
        'CaseStamp',
        { ...stamp, path: hashes('Of the proof that the leaf is in the tree of that size') },
        { description: 'The first time stamp after the sealing' },
      ),
    ),
    publicKey,
    annexPublicKey: Type.Optional(
      base64("Key of the annex's signature, if another one is in use by now"),
    ),
  },
  { description: 'Checked by plimsoll verify' },
);
export type CaseFile = Static<typeof caseFile>;

export const sealExport = record(
  'SealExport',
  {
    head: Type.Optional(
      note("Signed head of the user's tree (c2sp.org/tlog-checkpoint); absent while it is empty"),
    ),
    fromPlace: Type.Integer({ description: 'Place of the first of the seals, from 1' }),
    before: hashes('Of the largest complete subtrees before them, from the left'),
    seals: Type.Array(hash, { maxItems: MAX_PAGE, description: 'Leaf hashes, in order' }),
    consistency: hashes(
      'Proof that the tree of the head begins with these seals and all before them (RFC 6962)',
    ),
    stamp: Type.Optional(
      record('SealStamp', stamp, {
        description: 'The last time stamp of a size that the export shows',
      }),
    ),
    publicKey,
  },
  { description: "A part of the tree of a user's events" },
);
export type SealExport = Static<typeof sealExport>;

export const readCaseOperation = defineOperation({
  operationId: 'readCase',
  method: 'GET',
  path: '/users/current/tracker-events/:sequenceNumber/case',
  base: 'risk',
  scope: 'read',
  summary: 'The case file of an event',
  description:
    'The measurement, its rule, and the snapshots and deals behind it, as one sealed text with the proof of it; and in a signed annex, as of now, its actions, its handling and the open positions. 409 until it is sealed, 202 while the trades are computed. Check it with plimsoll verify.',
  params: Type.Object({ sequenceNumber: pathId('Sequence number of the event') }),
  response: { 200: caseFile, 202: computing },
  longAnswer: 'a statement is one text, which counts with four bytes for each character',
  errors: [404, 409],
});

export const listSealsOperation = defineOperation({
  operationId: 'listSeals',
  method: 'GET',
  path: '/users/current/tracker-events/seals',
  base: 'risk',
  scope: 'read',
  summary: "The tree of the user's events",
  description:
    'Keep its head: it reveals later whether an event was changed, left out or moved. Shows that the head grew from every earlier one of `fromPlace` - 1 records or more, up to the last seal. Not for restricted tokens.',
  querystring: Type.Object({
    fromPlace: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 1,
        description: 'The first place in the answer',
      }),
    ),
    limit: page.limit,
  }),
  response: { 200: sealExport },
});

export const readEvidenceKeyOperation = defineOperation({
  operationId: 'readEvidenceKey',
  method: 'GET',
  path: '/evidence-key',
  base: 'system',
  scope: 'public',
  summary: 'The public key of case files',
  description:
    'And its predecessors, each vouched for by the one before. The server generates the first at first use. Publish it where people know you.',
  response: {
    200: record('EvidenceKey', {
      publicKey,
      keys: Type.Array(
        record('ListedEvidenceKey', {
          publicKey,
          validFrom: isoTime('Start of its use'),
          validUntil: Type.Optional(isoTime('When it was replaced')),
          signature: base64('By its predecessor, or by itself'),
        }),
        { maxItems: MAX_PAGE, description: 'Oldest first; the last is in use' },
      ),
      signature: Type.Optional(
        base64('Of the list, by the key in use; absent while the server cannot decrypt that'),
      ),
    }),
  },
});
