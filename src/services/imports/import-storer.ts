import type { Release } from '../../claims/claims.ts';
import { MAX_IMPORTS_PER_ACCOUNT } from '../../contract/operations/statements.ts';
import type { Deal } from '../../domain/deal.ts';
import { nextTurn } from '../../domain/loop-turns.ts';
import type { StatementHead } from '../../statements/thread/messages.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Claim } from '../../storage/claim-store.ts';
import { type Transaction, UniqueViolation } from '../../storage/database.ts';
import { hasOtherDeals } from '../../storage/deal-store.ts';
import {
  countUnsettled,
  historyLock,
  noteDealsChanged,
  readHistory,
} from '../../storage/history-store.ts';
import {
  countImports,
  findImport,
  findImportOf,
  holdImport,
  insertImport,
  leaveImport,
  noteListed,
  type StatementImport,
  updateImport,
} from '../../storage/import-store.ts';
import { held } from '../accounts/access-account.ts';
import type { Actor, Changed, ChangeTransaction } from '../changes.ts';
import type { Context } from '../context.ts';
import { storeDeals } from '../deals/record-deals.ts';
import { conflict, unavailable } from '../errors.ts';
import { describeImport, IMPORTS_MAX, type ImportOutcome } from './present-import.ts';
import { replaceRows } from './replace-rows.ts';
import { type Owner, type OwnerOptions, settleOwner } from './settle-owner.ts';
import { CONFLICTS_MAX, type Conflict, Witnesses } from './witnesses.ts';

const POSITIONS_AT_ONCE = 100;

type Placed = { stored: StatementImport; claim: Claim | undefined };

/**
 * Stores the deals of a report in short transactions that do not block others. Until the last one,
 * the account's trades and statistics count as being computed; an import that stops half-way is
 * taken back by the sweeper.
 */
export class ImportStorer {
  readonly #context: Context;
  readonly #owner: Owner;
  readonly #head: StatementHead;
  readonly #import: StatementImport;
  /** Undefined if the file was stored before: then its stored deals are never taken back. */
  readonly #claim: Claim | undefined;
  readonly #witnesses: Witnesses;
  /** The account has only deals that are stored now: there is nothing to compare with. */
  #isAlone: boolean;
  #added = 0;

  private constructor(
    context: Context,
    owner: Owner,
    head: StatementHead,
    { stored, claim }: Placed,
  ) {
    this.#context = context;
    this.#owner = owner;
    this.#head = head;
    this.#import = stored;
    this.#claim = claim;
    this.#isAlone = !this.#isAgain;
    this.#witnesses = new Witnesses(owner.account, stored.number, this.#isAgain);
  }

  /**
   * Throws `unavailable` while the file is being stored or taken back, `conflict` if it belongs to
   * another account (see `settleOwner`) or there are too many.
   */
  static async begin(
    context: Context,
    by: Actor,
    account: Account,
    head: StatementHead,
    options: OwnerOptions,
  ): Promise<ImportStorer> {
    await context.changes.mayAdd(account.userId);
    const begun = context.claims.taking((take) =>
      context.changes.make(by, async (tx) => {
        const { number } = account;
        const owner = await settleOwner(tx, account, head.stated, options);
        await tx.lock(historyLock(number));
        const stored = await ImportStorer.#place(context, tx, owner, head);
        const isAgain = stored.state === 'stored';
        const [claim] = isAgain ? [] : await take(tx, 'import', [String(stored.number)]);
        const [note, ...more] = owner.audit;
        return { result: { owner, stored, claim }, audit: note ? [note, ...more] : 'unchanged' };
      }),
    );
    const { owner, ...placed } = await begun.catch((error: unknown) => {
      throw error instanceof UniqueViolation ? busy() : error;
    });
    return new ImportStorer(context, owner, head, placed);
  }

  /** The existing or new import of the file. */
  static async #place(
    context: Context,
    tx: Transaction,
    owner: Owner,
    head: StatementHead,
  ): Promise<StatementImport> {
    const { number } = owner.account;
    const known = await findImportOf(tx, number, head.contentHash);
    if (known?.state === 'stored') return known;
    if (known) throw busy();
    if ((await countImports(tx, number)) >= IMPORTS_MAX)
      throw conflict(
        `The limit of ${IMPORTS_MAX} imports per account is reached: take one back first`,
      );
    await countUnsettled(tx, number, 1);
    return newImport(context, tx, owner, head);
  }

  /** The file was stored before. */
  get #isAgain(): boolean {
    return this.#import.state === 'stored';
  }

  /** Its state since the import began: it may have taken the report's facts. */
  get account(): Account {
    return this.#owner.account;
  }

  async store(deals: readonly Deal[]): Promise<void> {
    const { number } = this.#import;
    const { account } = this.#owner;
    const stored = await this.#locked(async (tx) => {
      this.#isAlone &&= !(await hasOtherDeals(tx, account.number, number));
      const { fresh, witnessed } = this.#isAlone
        ? { fresh: deals, witnessed: [] }
        : await this.#witnesses.admit(tx, deals);
      const added = await storeDeals(tx, account, fresh, number);
      const isNew = new Set(added.map(({ id }) => id));
      const known = fresh.filter(({ id }) => !isNew.has(id)).map(({ id }) => id);
      await noteListed(tx, this.#import, [...known, ...new Set(witnessed)]);
      return added.length;
    });
    this.#witnesses.endPage();
    this.#added += stored;
    await nextTurn();
  }

  /** The deals count from now on. */
  async finish(by: Actor): Promise<StatementImport> {
    await this.#replaceRows();
    const { number, id: importId } = this.#import;
    const { contentHash, kind } = this.#head;
    const { account } = this.#owner;
    const store = async (tx: Transaction): Promise<Changed<StatementImport>> => {
      await tx.lock(historyLock(account.number));
      await this.#hold(tx);
      const result: StatementImport = {
        ...this.#import,
        state: 'stored',
        record: await this.#outcome(tx),
        ...this.#carriedIn(),
      };
      await updateImport(tx, result);
      if (!this.#isAgain) {
        await countUnsettled(tx, account.number, -1);
        await this.#noteCarriedIn(tx);
      }
      if (this.#isAgain && this.#added === 0) return { result, audit: 'unchanged' };
      const details = { importId, number, kind, contentHash, added: this.#added };
      const { userId, id: accountId } = account;
      return { result, audit: [{ action: 'statement.imported', userId, accountId, details }] };
    };
    return this.#release((release) =>
      this.#context.changes.make(by, async (tx) => {
        await release(tx);
        return store(tx);
      }),
    );
  }

  /** A few positions at a time: others wait for each transaction. */
  async #replaceRows(): Promise<void> {
    const positions = [...this.#witnesses.replaced];
    while (positions.length > 0) {
      const some = positions.splice(0, POSITIONS_AT_ONCE);
      await this.#locked((tx) => replaceRows(tx, this.#import.accountNumber, some));
      await nextTurn();
    }
  }

  /** Decisions of people are kept when the file is imported again, also those made meanwhile. */
  async #outcome(tx: Transaction): Promise<ImportOutcome> {
    const outcome = describeImport(this.#head, this.#owner, this.#added, this.#witnesses);
    if (!this.#isAgain) return outcome;
    const { accountNumber, id } = this.#import;
    const { record } = (await findImport(tx, accountNumber, id)) ?? this.#import;
    const { conflicts: earlier } = record as ImportOutcome;
    const known = (one: Conflict) => `${one.dealId} ${one.field}`;
    const settled = new Map(
      earlier.flatMap((one) => (one.settledAt === undefined ? [] : [[known(one), one] as const])),
    );
    const fresh = outcome.conflicts.filter((one) => !settled.has(known(one)));
    return { ...outcome, conflicts: [...settled.values(), ...fresh].slice(0, CONFLICTS_MAX) };
  }

  /**
   * Makes the sweeper take the stored deals back. An import stored before stays, and so does one
   * that was finished although that answer was lost.
   */
  async abandon(): Promise<void> {
    const { number } = this.#import;
    if (this.#isAgain) return;
    const left = this.#release((release) =>
      this.#context.changes.record(async (tx) => {
        await release(tx);
        await leaveImport(tx, number, 'storing');
      }),
    );
    // If the database is unavailable, the sweeper finds it later, without a claim.
    await left.catch(() => {});
  }

  async #release<T>(work: (release: Release) => Promise<T>): Promise<T> {
    return this.#claim ? this.#context.claims.releasing(this.#claim, work) : work(async () => true);
  }

  /** No deals of others come between what `work` reads and what it stores. */
  #locked<T>(work: (tx: ChangeTransaction) => Promise<T>): Promise<T> {
    const { account } = this.#owner;
    return this.#context.changes.record(async (tx) => {
      await held(tx, account);
      await tx.lock(historyLock(account.number));
      await this.#hold(tx);
      return work(tx);
    });
  }

  /** Its state fences it: only the sweeper ends the storing of an abandoned import. */
  async #hold(tx: Transaction): Promise<void> {
    const { number, state } = this.#import;
    if (!(await holdImport(tx, number, state)))
      throw conflict('The import was taken back while it was being stored');
  }

  /** A list of open positions and a report without a balance have none. */
  #carriedIn(): Pick<StatementImport, 'carriedIn' | 'carriedInTimeMs'> {
    const { carriedInBalance, summary } = this.#head;
    const timeMs = summary.firstMoneyTimeMs ?? summary.firstTimeMs;
    return timeMs === undefined || carriedInBalance === undefined
      ? { carriedIn: undefined, carriedInTimeMs: undefined }
      : { carriedIn: carriedInBalance, carriedInTimeMs: timeMs };
  }

  async #noteCarriedIn(tx: Transaction): Promise<void> {
    const { carriedInTimeMs } = this.#carriedIn();
    if (carriedInTimeMs === undefined) return;
    const { number } = this.#owner.account;
    const { last } = await readHistory(tx, number);
    const isLate = last !== undefined && carriedInTimeMs <= last.timeMs;
    await noteDealsChanged(tx, number, isLate);
  }
}

const busy = () => unavailable('The same file is being imported or taken back at this moment', 5);

async function newImport(
  { now, newId }: Context,
  tx: Transaction,
  owner: Owner,
  head: StatementHead,
): Promise<StatementImport> {
  const fresh: Omit<StatementImport, 'number'> = {
    accountNumber: owner.account.number,
    id: newId(),
    contentHash: head.contentHash,
    state: 'storing',
    createdAtMs: now(),
    carriedIn: undefined,
    carriedInTimeMs: undefined,
    record: describeImport(head, owner, 0),
  };
  if ((await countImports(tx, fresh.accountNumber)) >= MAX_IMPORTS_PER_ACCOUNT) {
    const most = MAX_IMPORTS_PER_ACCOUNT;
    throw conflict(`The limit of ${most} imports of an account is reached: take one back first`);
  }
  return { ...fresh, number: await insertImport(tx, fresh) };
}
