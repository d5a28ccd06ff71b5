import { NumberField } from '../components/number-field.tsx';
import { formatNumber } from '../lib/format.ts';
import { type RuleForm, SETTLE } from './rule-form.ts';
import { usualSettleSeconds } from './rule-words.ts';

type SettleForm = Pick<RuleForm, 'settleSeconds' | 'actions'>;

/** How long a breach waits for deals that may explain it as a transfer. */
export function SettleField(props: {
  form: SettleForm;
  change: (changes: Pick<SettleForm, 'settleSeconds'>) => void;
}) {
  const { form, change } = props;
  const usual = usualSettleSeconds(form.actions);
  return (
    <NumberField
      label="Wait for deals, seconds"
      parameter="settleSeconds"
      text={form.settleSeconds}
      change={(settleSeconds) => change({ settleSeconds })}
      rules={SETTLE}
      words={(value) => `${formatNumber(value, 3)} s`}
      hint={
        usual > 0
          ? `Empty: ${usual} s, as actions cannot be taken back. A breach that would be none if unexplained money was a transfer waits so long for its deal.`
          : 'Empty: none. A breach that would be none if unexplained money was a transfer waits so long for its deal.'
      }
    />
  );
}
