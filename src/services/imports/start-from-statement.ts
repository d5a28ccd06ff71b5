import type {
  ProposedAccount,
  StartedAccount,
  StatementProposal,
} from '../../contract/operations/new-statements.ts';
import type { Deal } from '../../domain/deal.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import { moneyDigits } from '../../domain/money.ts';
import type { TradeComputer } from '../../histories/trade-computer.ts';
import { ClockGuess } from '../../statements/outcome/guess-clock.ts';
import type { StatementHead } from '../../statements/thread/messages.ts';
import { findAccountsOf } from '../../storage/account-store.ts';
import { accessAccount } from '../accounts/access-account.ts';
import { type AccountSettings, createAccount } from '../accounts/create-account.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { readFile, storeReading } from './import-statement.ts';
import { describeImport } from './present-import.ts';
import { FIRST_DEALS, presentFirst } from './preview-statement.ts';
import { differencesOf, foreign, isLogin } from './settle-owner.ts';

/** Defaults for facts that a file does not state. */
const USUAL = { currency: 'USD', leverage: 100, login: '0', broker: 'Unknown' };
/** Existing accounts that are named. */
const EXISTING_MAX = 10;

type Reasons = StatementProposal['reasons'];

/**
 * The account that a report would create, with the reason for each value that it does not state.
 * Nothing is stored. Empties `file`. Throws like importStatement.
 */
export async function proposeAccount(
  context: Context,
  principal: Principal,
  file: Uint8Array,
  login: string | undefined,
): Promise<StatementProposal> {
  const userId = wholeUserOf(principal, 'create accounts');
  await using reading = await readFile(
    context,
    file,
    { userId, currency: USUAL.currency },
    { login },
  );
  const { head } = reading;
  const clock = new ClockGuess();
  const first: Deal[] = [];
  for await (const deals of reading.pages()) {
    clock.add(deals);
    first.push(...deals.slice(0, FIRST_DEALS - first.length));
    await nextTurn();
  }
  const { clock: brokerClock, ...told } = clock.result();
  const { account, reasons } = accountOf(head, login);
  const { currency } = account;
  const outline = describeImport(head, { account, warnings: [] }, head.summary.deals);
  const existing = await findAccountsOf(context.database, userId, account, EXISTING_MAX);
  return {
    account: { ...account, brokerClock },
    reasons: [...reasons, { field: 'brokerClock', isTold: told.isTold, reason: told.reason }],
    existing: existing.map(({ id, name }) => ({ id, name })),
    statement: { ...outline, ...presentFirst(first, moneyDigits(currency), head.table) },
  };
}

/** The report's facts about its account, and defaults for the rest. */
function accountOf(
  { stated, platform, kind }: StatementHead,
  chosenLogin: string | undefined,
): { account: Omit<ProposedAccount, 'brokerClock'>; reasons: Reasons } {
  const reasons: Reasons = [];
  const take = <Value>(field: Reasons[number]['field'], told: Value | undefined, usual: Value) => {
    const isTold = told !== undefined;
    const reason = isTold
      ? 'The file states it'
      : `The file does not state it: ${usual} is a guess`;
    reasons.push({ field, isTold, reason });
    return told ?? usual;
  };
  const login = chosenLogin ?? stated.login;
  const leverage =
    stated.leverage !== undefined && stated.leverage > 0 ? stated.leverage : undefined;
  const account = {
    broker: take('broker', stated.broker?.slice(0, 200) || undefined, USUAL.broker),
    platform: take('platform', stated.platform, platform),
    login: take('login', login !== undefined && isLogin(login) ? login : undefined, USUAL.login),
    currency: take('currency', stated.currency, USUAL.currency),
    leverage: take('leverage', leverage, USUAL.leverage),
  };
  const name = `${stated.broker?.slice(0, 150) || kind} ${account.login}`;
  return { account: { name, ...account }, reasons };
}

/** Fields of a new account; those that are absent are as proposed. */
export type GivenAccount = {
  [Field in keyof ProposedAccount]?: ProposedAccount[Field] | undefined;
};

/**
 * Creates the account and imports the report into it; without the import, there is no account.
 * Empties `file`. Throws `conflict` if the report states another currency or platform, and like
 * createAccount and importStatement.
 */
export async function startFromStatement(
  context: Context & AccountSettings & { trades: TradeComputer },
  principal: Principal,
  file: Uint8Array,
  given: GivenAccount,
  fileName?: string,
): Promise<StartedAccount> {
  const userId = wholeUserOf(principal, 'create accounts');
  const chosen = await completed(context, principal, file, given);
  const { currency, login, platform, brokerClock } = chosen;
  const { zone, shiftHours = 0 } = brokerClock;
  await using reading = await readFile(
    context,
    file,
    { userId, currency, brokerClock: { zone, shiftHours } },
    { login, fileName },
  );
  const { stated } = reading.head;
  const facts = { currency: stated.currency, platform: stated.platform };
  const differences = differencesOf(facts, { currency, platform, login });
  if (differences.length > 0) throw foreign(differences, false);
  const { marginMode } = stated;
  const { id } = await createAccount(context, principal, {
    ...chosen,
    ...(marginMode ? { marginMode } : {}),
  });
  try {
    const account = await accessAccount(context, principal, id);
    const options = { force: true, adopt: false };
    const stored = await storeReading(context, actorOf(principal), account, reading, options);
    return { accountId: id, statement: stored };
  } catch (error) {
    await deleteAccount(context, principal, id);
    throw error;
  }
}

async function completed(
  context: Context,
  principal: Principal,
  file: Uint8Array,
  { name, broker, platform, login, currency, leverage, brokerClock }: GivenAccount,
): Promise<ProposedAccount> {
  if (name && broker && platform && login && currency && leverage && brokerClock) {
    return { name, broker, platform, login, currency, leverage, brokerClock };
  }
  // Reading empties what it reads; slice() of a Buffer would be the same bytes.
  const copy = Uint8Array.from(file);
  const { account } = await proposeAccount(context, principal, copy, login);
  return {
    name: name ?? account.name,
    broker: broker ?? account.broker,
    platform: platform ?? account.platform,
    login: login ?? account.login,
    currency: currency ?? account.currency,
    leverage: leverage ?? account.leverage,
    brokerClock: brokerClock ?? account.brokerClock,
  };
}
