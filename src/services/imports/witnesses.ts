import { formatBrokerTime, MINUTE_MS } from '../../domain/broker-time.ts';
import { type Deal, isTradeDeal, moneyOf } from '../../domain/deal.ts';
import { fromUnits, fromVolume, moneyDigits } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  findDeals,
  listClosings,
  listPositionDeals,
  type StoredDeal,
} from '../../storage/deal-store.ts';
import { findImportId } from '../../storage/import-store.ts';
import type { ConflictSide, WitnessedFigure } from '../../words/deals.ts';
import { isMade } from './replace-rows.ts';

/** Differences that an import names singly. */
export const CONFLICTS_MAX = 50;
/** Sources round each amount separately. */
const ROUNDING = 0.011;

/** Two sources state different figures of one position. */
export type Conflict = {
  positionId: string;
  /** The source of the figure, counting or not. */
  dealId: string;
  field: WitnessedFigure;
  stored: string;
  /** Id of the import that brought it; absent for a platform or a client. */
  storedBy?: string;
  stated: string;
  /** The counting one. */
  kept: ConflictSide;
  /** ISO time when a person decided. */
  settledAt?: string;
};

/** The results for a page of deals. */
export type Admitted = {
  /** To be stored. */
  fresh: Deal[];
  /** Stored deals that the file witnesses, too. */
  witnessed: string[];
};

/** Parts of one position are numbered: `5001`, `5001.2`. */
const wholeOf = (positionId: string): string => positionId.replace(/\.\d+$/, '');
const symbolOf = ({ symbol = '' }: Deal): string =>
  symbol.replace(/[^A-Za-z0-9]/g, '').toUpperCase();

/**
 * Compares the deals of a file with those of other sources of the same positions. A position has
 * one record and any number of witnesses: equal deals add nothing, deals replace the two made from
 * a row, and differences are a conflict: the record of the more trusted source stays (a platform or
 * a client first, then reports of deals, then rows of trades).
 */
export class Witnesses {
  readonly #account: Account;
  readonly #importNumber: number;
  /** Stored before: it only witnesses, as the sweeper would not take its deals back. */
  readonly #isAgain: boolean;
  readonly #claimed = new Set<string>();
  /** Positions whose rows the file's deals replace once all are stored: see replace-rows.ts. */
  readonly replaced = new Map<string, readonly StoredDeal[]>();
  readonly conflicts: Conflict[] = [];
  conflicting = 0;
  /** What an attempt to store a page adds: its transaction may be rolled back and made again. */
  #page = pageAfter(this);

  constructor(account: Account, importNumber: number, isAgain = false) {
    this.#account = account;
    this.#importNumber = importNumber;
    this.#isAgain = isAgain;
  }

  /** Forgets what an earlier attempt at the page has seen. */
  #beginPage(): void {
    const { claimed, replaced, conflicts, conflicting } = this.#page;
    for (const id of claimed.splice(0)) this.#claimed.delete(id);
    for (const positionId of replaced.splice(0)) this.replaced.delete(positionId);
    this.conflicts.length = conflicts;
    this.conflicting = conflicting;
  }

  /** After the last attempt at a page. */
  endPage(): void {
    this.#page = pageAfter(this);
  }

  /** Compares a page, each time anew until `endPage`. */
  async admit(tx: Transaction, deals: readonly Deal[]): Promise<Admitted> {
    this.#beginPage();
    const { number } = this.#account;
    const admitted: Admitted = { fresh: [], witnessed: [] };
    const same = new Map(
      (
        await findDeals(
          tx,
          number,
          deals.map(({ id }) => id),
        )
      ).map((deal) => [deal.id, deal]),
    );
    const others = await this.#others(
      tx,
      deals.filter(({ id }) => !same.has(id)),
    );
    for (const deal of deals) {
      const known = same.get(deal.id);
      if (known) {
        await this.#compare(tx, deal, known, moneyOf(deal), moneyOf(known));
        admitted.witnessed.push(deal.id);
        continue;
      }
      const record = others.get(deal);
      if (!record) admitted.fresh.push(deal);
      else if (this.#mayReplace(deal, record)) await this.#replace(tx, deal, record, admitted);
      else await this.#witness(tx, deal, record, admitted);
    }
    return admitted;
  }

  /** Other sources' deals of the position or the booking of each deal. */
  async #others(
    tx: Transaction,
    deals: readonly Deal[],
  ): Promise<Map<Deal, readonly StoredDeal[]>> {
    const { number } = this.#account;
    const others = new Map<Deal, readonly StoredDeal[]>();
    if (deals.length === 0) return others;
    const ids = deals.flatMap(({ positionId }) => (positionId ? [wholeOf(positionId)] : []));
    const stored = await listWithParts(tx, number, [...new Set(ids)]);
    const byPosition = Map.groupBy(stored, ({ positionId = '' }) => wholeOf(positionId));
    const unknown: Deal[] = [];
    for (const deal of deals) {
      const { positionId = '' } = deal;
      const known = byPosition.get(wholeOf(positionId)) ?? [];
      const record =
        this.replaced.get(positionId) ?? known.filter((one) => this.#isOfOther(one, deal));
      // One kind of source has one kind of ids: a deal next to deals is another execution.
      const isOther = record.some((one) => isMade(one) !== isMade(deal));
      if (isOther) others.set(deal, record);
      else if (record.length === 0 && deal.entry !== 'DEAL_ENTRY_IN') unknown.push(deal);
    }
    await this.#findByContent(tx, unknown, others);
    // The opening of a position belongs to its closing.
    const found = new Map([...others].map(([deal, record]) => [deal.positionId, record]));
    for (const deal of deals)
      if (deal.entry === 'DEAL_ENTRY_IN' && !others.has(deal) && deal.positionId) {
        const record = found.get(deal.positionId);
        if (record) others.set(deal, record);
      }
    return others;
  }

  /** Only sources of one platform have equal numbers: otherwise contents are compared. */
  async #findByContent(
    tx: Transaction,
    deals: readonly Deal[],
    others: Map<Deal, readonly StoredDeal[]>,
  ): Promise<void> {
    const { number } = this.#account;
    // Some sources lack seconds.
    const ranges = deals.map((deal) => {
      const fromMs = minuteOf(deal) * MINUTE_MS;
      return { fromMs, toMs: fromMs + MINUTE_MS };
    });
    const closings = await listClosings(tx, number, ranges);
    for (const deal of deals) {
      const twin = closings.find(
        (one) =>
          !this.#claimed.has(one.id) && this.#isOfOther(one, deal) && this.#isTwin(deal, one),
      );
      if (!twin) continue;
      this.#claim(twin);
      const record = twin.positionId
        ? await listPositionDeals(tx, number, [twin.positionId])
        : [twin];
      others.set(deal, record.length > 0 ? record : [twin]);
    }
  }

  /** A file that was stored before may have inherited deals of the other kind from another one. */
  #isOfOther(stored: StoredDeal, deal: Deal): boolean {
    if (stored.importNumber !== this.#importNumber) return true;
    return this.#isAgain && isMade(stored) !== isMade(deal);
  }

  /** The same booking: kind, moment, symbol, volume and result. */
  #isTwin(deal: Deal, stored: StoredDeal): boolean {
    // Two executions from one kind of source are two.
    if (isMade(deal) === isMade(stored) && isTradeDeal(deal) && !this.#isForeignRow(deal, stored))
      return false;
    const isExact = deal.timeMs % MINUTE_MS !== 0 && stored.timeMs % MINUTE_MS !== 0;
    return (
      deal.type === stored.type &&
      deal.volume === stored.volume &&
      symbolOf(deal) === symbolOf(stored) &&
      (!isExact || deal.timeMs === stored.timeMs) &&
      Math.abs(deal.profit - stored.profit) <= this.#rounding
    );
  }

  /** Rows of two exports that name different tickets, or none. */
  #isForeignRow(deal: Deal, stored: StoredDeal): boolean {
    const isUnnumbered = ({ id }: Pick<Deal, 'id'>) => id.startsWith('row-');
    return isMade(deal) && isUnnumbered(deal) !== isUnnumbered(stored);
  }

  get #rounding(): number {
    return ROUNDING * 10 ** moneyDigits(this.#account.currency);
  }

  async #witness(
    tx: Transaction,
    deal: Deal,
    record: readonly StoredDeal[],
    admitted: Admitted,
  ): Promise<void> {
    admitted.witnessed.push(...record.map(({ id }) => id));
    const closings = record.filter(({ entry }) => entry !== 'DEAL_ENTRY_IN');
    const own =
      closings.length > 1 ? closings.find((one) => isSameClosing(deal, one)) : closings[0];
    if (!own) return;
    const isBare = deal.swap === 0 && deal.commission === 0 && deal.fee === 0;
    const net = closings.length > 1 ? moneyOf(own) : sumOf(record);
    // The profit of a row without costs is before them or after.
    const isNet = isBare ? Math.abs(deal.profit - net) <= this.#rounding : closings.length === 1;
    if (isNet) await this.#compare(tx, deal, own, moneyOf(deal), net);
    else await this.#compare(tx, deal, own, deal.profit, own.profit);
  }

  #claim({ id }: StoredDeal): void {
    if (this.#claimed.has(id)) return;
    this.#claimed.add(id);
    this.#page.claimed.push(id);
  }

  /** Deals go before the two that were made from a row of a file. */
  #mayReplace(deal: Deal, record: readonly StoredDeal[]): boolean {
    if (this.#isAgain || isMade(deal) || !deal.positionId) return false;
    return record.find(isMade)?.importNumber !== undefined;
  }

  async #replace(
    tx: Transaction,
    deal: Deal,
    record: readonly StoredDeal[],
    admitted: Admitted,
  ): Promise<void> {
    admitted.fresh.push(deal);
    const { positionId = '' } = deal;
    if (!this.replaced.has(positionId)) {
      this.replaced.set(positionId, record);
      this.#page.replaced.push(positionId);
      for (const made of record.filter(isMade)) this.#claim(made);
    }
    const closing = record.find((one) => isSameClosing(deal, one));
    if (closing) await this.#compare(tx, deal, closing, deal.profit, closing.profit, 'stated');
  }

  async #compare(
    tx: Transaction,
    deal: Deal,
    stored: StoredDeal,
    stated: number,
    known: number,
    kept: ConflictSide = 'stored',
  ): Promise<void> {
    if (deal.entry === 'DEAL_ENTRY_IN') return;
    const digits = moneyDigits(this.#account.currency);
    const found: Pick<Conflict, 'field' | 'stored' | 'stated'>[] = [];
    const add = (field: Conflict['field'], was: string, is: string) =>
      found.push({ field, stored: was, stated: is });
    if (Math.abs(stated - known) > this.#rounding)
      add('money', `${fromUnits(known, digits)}`, `${fromUnits(stated, digits)}`);
    if (deal.volume !== stored.volume)
      add('volume', `${fromVolume(stored.volume)}`, `${fromVolume(deal.volume)}`);
    if (minuteOf(deal) !== minuteOf(stored))
      add('closeTime', formatBrokerTime(stored.timeMs), formatBrokerTime(deal.timeMs));
    if (deal.price !== undefined && stored.price !== undefined && !isNear(deal.price, stored.price))
      add('price', `${stored.price}`, `${deal.price}`);
    this.conflicting += found.length;
    const room = CONFLICTS_MAX - this.conflicts.length;
    if (found.length === 0 || room <= 0) return;
    const { positionId = deal.id } = deal;
    const storedBy = await findImportId(tx, stored.importNumber);
    for (const figures of found.slice(0, room))
      this.conflicts.push({
        ...{ positionId, dealId: kept === 'stored' ? stored.id : deal.id, ...figures, kept },
        ...(storedBy ? { storedBy } : {}),
      });
  }
}

/** The deals of positions, and of their numbered parts, which only rows have. */
async function listWithParts(
  tx: Transaction,
  accountNumber: number,
  positionIds: readonly string[],
): Promise<StoredDeal[]> {
  const found: StoredDeal[] = [];
  let wholes = positionIds;
  for (let [from, to] = [1, 2]; wholes.length > 0; [from, to] = [to + 1, 4 * to]) {
    const parts = Array.from({ length: to - from + 1 }, (_, n) => from + n);
    const ids = wholes.flatMap((id) => parts.map((part) => (part === 1 ? id : `${id}.${part}`)));
    const deals = await listPositionDeals(tx, accountNumber, ids);
    found.push(...deals);
    const seen = new Set(deals.map(({ positionId }) => positionId));
    wholes = wholes.filter((id) => seen.has(`${id}.${to}`));
  }
  return found;
}

const pageAfter = ({ conflicts, conflicting }: Pick<Witnesses, 'conflicts' | 'conflicting'>) => ({
  ...{ claimed: [] as string[], replaced: [] as string[] },
  ...{ conflicts: conflicts.length, conflicting },
});

const sumOf = (deals: readonly Deal[]): number =>
  deals.reduce((sum, deal) => sum + moneyOf(deal), 0);

const minuteOf = ({ timeMs }: Deal): number => Math.floor(timeMs / MINUTE_MS);

const isSameClosing = (a: Deal, b: Deal): boolean =>
  a.volume === b.volume && minuteOf(a) === minuteOf(b);

/** Sites round prices. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-5 * Math.abs(b);
