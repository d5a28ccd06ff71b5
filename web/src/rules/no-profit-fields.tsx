import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { faultOf } from '../lib/faults.ts';

export type AdjustedDeal = NonNullable<NewTracker['adjustDeals']>[number];

const TITLES: Record<AdjustedDeal, string> = {
  DEAL_TYPE_BALANCE: 'Deposits and withdrawals',
  DEAL_TYPE_CREDIT: 'Credit',
  DEAL_TYPE_BONUS: 'Bonuses',
  DEAL_TYPE_CORRECTION: 'Corrections',
};

/** Which deals are neither profit nor loss. */
export function NoProfitFields(props: {
  /** Where one page has several. */
  of?: string;
  chosen: readonly AdjustedDeal[];
  error: unknown;
  choose: (chosen: AdjustedDeal[]) => void;
}) {
  const { chosen, choose } = props;
  const types = Object.keys(TITLES) as AdjustedDeal[];
  return (
    <fieldset>
      <legend>
        No profit or loss
        {props.of ? <span className="visually-hidden"> {props.of}</span> : null}
      </legend>
      {types.map((type) => (
        <label key={type} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={({ target }) =>
              choose(
                types.filter((each) => (each === type ? target.checked : chosen.includes(each))),
              )
            }
          />
          {TITLES[type]}
        </label>
      ))}
      <p className="field-error">{faultOf(props.error, 'adjustDeals', 'This')}</p>
    </fieldset>
  );
}
