import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { it } from 'node:test';

const SRC = resolve(import.meta.dirname, '../../src');
/** A read of any number of rows, with the text of its statement where that stands in the call. */
const READ =
  /\.all(?:<(?:[^<>]|<[^<>]*>)*>)?\(|(?<!function )\b(?:allIn|ofPlaces)(?:<(?:[^<>]|<[^<>]*>)*>)?\(/g;
const FUNCTION = /(?:function|const|async) (\w+)(?:<[^>]*>)? ?(?:= ?(?:async )?)?\(/g;

/** These read without a limit: the bound on the rows of each. */
const BOUNDED: Record<string, string> = {
  'account-store.ts findAccounts': 'as many as are asked for',
  'account-store.ts findNumbered': 'as many as are asked for',
  'account-store.ts findNumberedFacts': 'as many as are asked for',
  'account-store.ts findSenders': 'as many as are asked for',
  'breach-action-store.ts readActionsOf': 'MAX_ACTIONS of one limit',
  'change-store.ts readChanges': 'KEPT_CHANGES',
  'chart-day-store.ts readChartDays': 'the days of the range, MAX_CHART_HOURS',
  'claim-store.ts listFencesOf': 'the jobs that this process does',
  'claim-store.ts listProcesses': 'the processes of the operator',
  'deal-store.ts countUnknownDeals': 'one for each account that is asked for',
  'deal-store.ts findDeals': 'as many as are asked for',
  'deal-store.ts listDaysWithDeals': 'the days of the range, 400 at most',
  'enrolment-store.ts listEnrolments': 'MAX_ENROLMENTS_PER_ACCOUNT',
  'enrolment-store.ts readEnrolmentDefinitions': 'MAX_ENROLMENTS_PER_ACCOUNT of each account',
  'event-filter.ts read': 'the limit is in the text, a line above',
  'evidence-store.ts readWatchedEvents': 'events of the last hour, one for each limit',
  'history-store.ts readFoldStates': 'as many as are asked for',
  'history-store.ts readHistoryVersions': 'as many as are asked for',
  'holding-store.ts readHeldBytesOf': 'as many as are asked for',
  'hour-store.ts readLastHours': 'the hours of the range, MAX_CHART_HOURS',
  'import-store.ts importIds': 'as many as are asked for',
  'import-store.ts listCarriedIn': 'MAX_IMPORTS_PER_ACCOUNT',
  'import-store.ts listWitnesses': 'the imports of an account',
  'import-store.ts noteListed': 'as many as are asked for',
  'incident-store.ts findIncidents': 'as many as are asked for',
  'incident-store.ts newestRevisions': 'as many as are asked for',
  'incident-store.ts ofPlaces': 'as many as its callers ask for',
  'incident-store.ts readHandlings': 'as many as are asked for',
  'incident-store.ts readIncidentActions':
    'MAX_LIMITS_PER_ACCOUNT of each incident, with their actions',
  'incident-store.ts readIncidentEvents': 'MAX_LIMITS_PER_ACCOUNT of each incident',
  'journal-outbox-store.ts readSettled': 'as many as are asked for',
  'live-store.ts readFigures': 'as many as are asked for',
  'live-store.ts readLiveAccounts': 'as many as are asked for',
  'live-store.ts readSettling': 'accounts whose breach waits, for 60 seconds at most',
  'minute-store.ts readMinutes': 'the hours of the range, of the days for which they are kept',
  'minute-store.ts writeMinutes': 'as many as are asked for',
  'mail-store.ts countOpenMail': 'one for each state',
  'old-data-store.ts listAged': 'as many as are asked for',
  'old-data-store.ts removeEvents': 'ROWS_AT_ONCE, in someAged',
  'evidence-key-store.ts listEvidenceKeys': 'one for each rotation by an operator',
  'part-store.ts readParts': 'segments of an account, of the parts that are asked for',
  'removed-account-store.ts removeSome': 'MOST_ROWS',
  'seal-aside-store.ts findAsides': 'as many as are asked for',
  'seal-store.ts placeOf': 'the subtrees of a proof, twice the binary digits of a size at most',
  'secret-key-store.ts countSecrets': 'one for each key of an operator',
  'secret-key-store.ts listSecretKeys': 'one for each key of an operator',
  'partition-store.ts readPartitions': 'the partitions',
  'profile-reading-store.ts findReadingStates': 'as many as are asked for',
  'profile-reading-store.ts listReadings':
    'the profiles of all users, MAX_PROFILES_PER_USER of each',
  'profile-store.ts countProfiles': 'one for each kind',
  'record-table.ts all': 'the limit is in the text that its callers give',
  'record-table.ts allIn': 'as many as its callers ask for',
  'quota-store.ts countHoldingsOf': 'one for each region and kind of account',
  'quota-store.ts findQuotasOf': 'one for each region',
  'sql-text.ts allIn': 'as many as its callers ask for',
  'sync-store.ts findSyncs': 'as many as are asked for',
  'tracker-store.ts listTrackers': 'MAX_TRACKERS_PER_ACCOUNT',
  'tracker-store.ts readDefinitions': 'MAX_TRACKERS_PER_ACCOUNT of each account',
  'trade-store.ts readChunks': 'the chunks of one page',
  'trade-store.ts readTradeColumns': 'a few chunks at a time',
  'transition-store.ts readNumberedTransitions': 'MAX_TRANSITIONS of each enrolment',
  'transition-store.ts readTransitions': 'MAX_TRANSITIONS of each enrolment',
  'webhook-store.ts findWebhooks': 'as many as are asked for',
};

/** And these have no bound but the deals of one account: the reason why they may be many. */
const BY_DEALS: Record<string, string> = {
  'deal-store.ts listCapitalDeals': 'all deposits and withdrawals of an account',
  'deal-store.ts listClosings': 'all deals of a minute',
  'deal-store.ts listPositionDeals': 'all deals of a position',
};

/** The functions of a text that read rows without a limit. */
function unlimited(text: string): string[] {
  const found: string[] = [];
  for (const { index } of text.matchAll(READ)) {
    const end = text.indexOf(';\n', index);
    const call = text.slice(index, end < 0 ? undefined : end);
    if (/\blimit\b|hiddenLimit|\breturning\b/i.test(call)) continue;
    const before = [...text.slice(0, index).matchAll(FUNCTION)];
    found.push(before.at(-1)?.[1] ?? '');
  }
  return found;
}

it('finds a read without a limit', () => {
  const read = 'function listAll(sql: Sql) {\n  return sql.all<Row>(`select * from x`, []);\n}\n';
  assert.deepEqual(unlimited(read), ['listAll']);
  assert.deepEqual(unlimited(read.replace('from x', 'from x limit $1')), []);
});

it('reads of rows have a limit, or say what bounds them', () => {
  const folder = join(SRC, 'storage');
  const files = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const found = files.flatMap((file) =>
    unlimited(readFileSync(join(folder, file), 'utf8')).map((name) => `${basename(file)} ${name}`),
  );
  assert.deepEqual([...new Set(found)].sort(), Object.keys({ ...BOUNDED, ...BY_DEALS }).sort());
});

it('only stores read rows', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.test|\.fixture)\.ts$/.test(name) && !/^storage\//.test(name),
  );
  const isReading = (file: string): boolean =>
    /\b(?:sql|tx|database)\.all\b/.test(readFileSync(join(SRC, file), 'utf8'));
  assert.deepEqual(files.filter(isReading), ['app/tracing/traced-database.ts']);
});
