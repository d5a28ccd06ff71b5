import { type Deal, isUnknown, UNKNOWN_TYPES } from '../../domain/deal.ts';
import type { Sql } from '../../storage/database.ts';
import { sumDeals } from '../../storage/deal-store.ts';
import { type Funds, isSame, withDeals } from './member.ts';
import { type DealRange, diffDeals } from './reconcile-deals.ts';

/** Kinds tried together; a fourth at the same moment counts on the balance. */
const MAX_KINDS = 3;

/** Ways in which a deal may have moved money, the usual one first. */
const EFFECTS: readonly ((deal: Deal) => Deal)[] = [
  (deal) => deal,
  (deal) => ({ ...deal, type: 'DEAL_TYPE_OTHER_CREDIT' }),
  (deal) => ({ ...deal, profit: 0, swap: 0, commission: 0, fee: 0 }),
];

/**
 * The deals of a range, those of unknown kinds with the effect that the platform's own figures
 * show: on the balance, on the credit, or none. All of one kind have the same. `open` are the ids
 * of those for which no choice leads to the platform's figures; they count on the balance.
 * @param explained what the stored deals lead to; undefined: their sum
 */
export async function withEffects(
  sql: Sql,
  accountNumber: number,
  { range, deals }: { range: DealRange; deals: readonly Deal[] },
  explained: Funds | undefined,
  funds: Funds,
): Promise<{ deals: readonly Deal[]; open: ReadonlySet<string> }> {
  if (!deals.some(isUnknown)) return { deals, open: new Set() };
  const { fresh } = await diffDeals(sql, accountNumber, range, deals);
  const before = explained ?? (await sumDeals(sql, accountNumber));
  const known = withDeals(
    before,
    fresh.filter((deal) => !isUnknown(deal)),
  );
  const asked = fresh.filter(isUnknown);
  const found = decide(asked, known, funds);
  const decided = new Map(found?.map((deal) => [deal.id, deal]));
  return {
    deals: deals.map((deal) => decided.get(deal.id) ?? deal),
    open: new Set(found ? [] : asked.map(({ id }) => id)),
  };
}

function decide(asked: readonly Deal[], before: Funds, after: Funds): Deal[] | undefined {
  const kinds = [...new Set(asked.map(kindOf))].slice(0, MAX_KINDS);
  for (let choice = 0; choice < EFFECTS.length ** kinds.length; choice += 1) {
    const effects = new Map(
      kinds.map((kind, at) => [kind, Math.floor(choice / EFFECTS.length ** at) % EFFECTS.length]),
    );
    const tried = asked.map((deal) => EFFECTS[effects.get(kindOf(deal)) ?? 0]?.(deal) ?? deal);
    if (isSame(withDeals(before, tried), after)) return tried;
  }
  return undefined;
}

/** The platform's word, at the beginning of the comment. */
const kindOf = ({ comment }: Deal): string => comment?.split(':', 1)[0] ?? UNKNOWN_TYPES[0];
