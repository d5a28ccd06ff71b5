import { ADJUSTABLE_DEALS, type AdjustableDealType } from '../../../src/words/deals.ts';
import { wordsOf } from '../../../src/words/words-of.ts';
import { Check } from '../components/check.tsx';
import { useFault } from '../components/form-context.ts';

/** Which deals are neither profit nor loss. */
export function NoProfitFields(props: {
  /** Where one page has several. */
  of?: string;
  chosen: readonly AdjustableDealType[];
  choose: (chosen: AdjustableDealType[]) => void;
}) {
  const { chosen, choose } = props;
  const fault = useFault('adjustDeals', 'This');
  const types = wordsOf(ADJUSTABLE_DEALS);
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
          {ADJUSTABLE_DEALS[type]}
        </Check>
      ))}
      <p className="field-error">{fault}</p>
    </fieldset>
  );
}
