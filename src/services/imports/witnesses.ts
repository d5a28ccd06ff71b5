import { formatBrokerTime, MINUTE_MS } from '../../domain/broker-time.ts';
import { type Deal, isTradeDeal, moneyOf } from '../../domain/deal.ts';
import { fromUnits, fromVolume, moneyDigits } from '../../domain/money.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Transaction } from '../../storage/database.ts';
import {
  deleteDealRow,
  findDeals,
  listClosings,
  listPositionDeals,
  type StoredDeal,
} from '../../storage/deal-store.ts';
import { findImportId } from '../../storage/import-store.ts';
import type { ConflictSide, WitnessedFigure } from '../../words/deals.ts';

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
  /** Less detailed stored deals, removed in favour of the file's: their witnesses. */
  replaced: { importNumber: number; ids: string[] }[];
};

/** Ids that readers make from a row: they stand for a position without listed deals. */
const MADE = /^(.+)-(?:in|out)$/;
const isMade = ({ id }: Pick<Deal, 'id'>): boolean => MADE.test(id);
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
  readonly #claimed = new Set<string>();
  /** Stored deals of positions that got deals of their own, by their ids. */
  readonly #replaced = new Map<string, readonly StoredDeal[]>();
  readonly conflicts: Conflict[] = [];
  conflicting = 0;
  /** What an attempt to store a page adds: its transaction may be rolled back and made again. */
  #page = pageAfter(this);

  constructor(account: Account, importNumber: number) {
    this.#account = account;
    this.#importNumber = importNumber;
  }

  /** Forgets what an earlier attempt at the page has seen. */
  #beginPage(): void {
    const { claimed, replaced, conflicts, conflicting } = this.#page;
    for (const id of claimed.splice(0)) this.#claimed.delete(id);
    for (const positionId of replaced.splice(0)) this.#replaced.delete(positionId);
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
    const admitted: Admitted = { fresh: [], witnessed: [], replaced: [] };
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
      else if (isMade(deal) || !record.some(isMade))
        await this.#witness(tx, deal, record, admitted);
      else await this.#replace(tx, deal, record, admitted);
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
    const stored = await listPositionDeals(tx, number, [...new Set(ids)]);
    const byPosition = Map.groupBy(
      stored.filter(({ importNumber }) => importNumber !== this.#importNumber),
      ({ positionId = '' }) => positionId,
    );
    const unknown: Deal[] = [];
    for (const deal of deals) {
      const { positionId = '' } = deal;
      const record = this.#replaced.get(positionId) ?? byPosition.get(wholeOf(positionId));
      // One kind of source has one kind of ids: a deal next to deals is another execution.
      const isOther = record?.some((one) => isMade(one) !== isMade(deal)) ?? false;
      if (record && isOther) others.set(deal, record);
      else if (!record && deal.entry !== 'DEAL_ENTRY_IN') unknown.push(deal);
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
    const ranges = deals.map(({ timeMs }) => {
      const fromMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
      return { fromMs, toMs: fromMs + MINUTE_MS };
    });
    const closings = await listClosings(tx, number, ranges);
    const foreign = closings.filter(
      (one) => one.importNumber !== this.#importNumber && !this.#claimed.has(one.id),
    );
    for (const deal of deals) {
      const twin = foreign.find((one) => !this.#claimed.has(one.id) && this.#isTwin(deal, one));
      if (!twin) continue;
      this.#claimed.add(twin.id);
      this.#page.claimed.push(twin.id);
      const record = twin.positionId
        ? await listPositionDeals(tx, number, [twin.positionId])
        : [twin];
      others.set(deal, record.length > 0 ? record : [twin]);
    }
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

  /** Deals replace the two made from a row. */
  async #replace(
    tx: Transaction,
    deal: Deal,
    record: readonly StoredDeal[],
    admitted: Admitted,
  ): Promise<void> {
    const { number } = this.#account;
    const importNumber = record.find(isMade)?.importNumber;
    if (importNumber === undefined) {
      await this.#witness(tx, deal, record, admitted);
      return;
    }
    admitted.fresh.push(deal);
    const ids = [deal.id];
    const { positionId } = deal;
    if (positionId && !this.#replaced.has(positionId)) {
      this.#replaced.set(positionId, record);
      this.#page.replaced.push(positionId);
      for (const made of record.filter(isMade)) await deleteDealRow(tx, number, made.id);
      const own = await listPositionDeals(tx, number, [positionId]);
      ids.push(...own.flatMap(({ id }) => (record.some((one) => one.id === id) ? [] : [id])));
    } else if (!positionId) for (const made of record) await deleteDealRow(tx, number, made.id);
    admitted.replaced.push({ importNumber, ids });
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
    const minute = (timeMs: number) => Math.floor(timeMs / MINUTE_MS);
    if (minute(deal.timeMs) !== minute(stored.timeMs))
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

const pageAfter = ({ conflicts, conflicting }: Pick<Witnesses, 'conflicts' | 'conflicting'>) => ({
  ...{ claimed: [] as string[], replaced: [] as string[] },
  ...{ conflicts: conflicts.length, conflicting },
});

const sumOf = (deals: readonly Deal[]): number =>
  deals.reduce((sum, deal) => sum + moneyOf(deal), 0);

const isSameClosing = (a: Deal, b: Deal): boolean =>
  a.volume === b.volume && Math.floor(a.timeMs / MINUTE_MS) === Math.floor(b.timeMs / MINUTE_MS);

/** Sites round prices. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-5 * Math.abs(b);
