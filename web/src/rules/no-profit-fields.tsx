import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { Check } from '../components/check.tsx';
import { useFault } from '../components/form-context.ts';

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
  choose: (chosen: AdjustedDeal[]) => void;
}) {
  const { chosen, choose } = props;
  const fault = useFault('adjustDeals', 'This');
  const types = Object.keys(TITLES) as AdjustedDeal[];
  return (
    <fieldset>
      <legend>
        No profit or loss
        {props.of ? <span className="visually-hidden"> {props.of}</span> : null}
      </legend>
      {types.map((type) => (
        <Check
          key={type}
          isOn={chosen.includes(type)}
          set={(isOn) =>
            choose(types.filter((each) => (each === type ? isOn : chosen.includes(each))))
          }
        >
          {TITLES[type]}
        </Check>
      ))}
      <p className="field-error">{fault}</p>
    </fieldset>
  );
}
