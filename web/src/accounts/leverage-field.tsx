import { NumberField } from '../components/number-field.tsx';
import { formatNumber } from '../lib/format.ts';
import { LEVERAGE } from './leverage.ts';

export function LeverageField(props: { text: string; change: (text: string) => void }) {
  return (
    <NumberField
      {...props}
      label="Leverage"
      parameter="leverage"
      required
      rules={LEVERAGE}
      words={(value) => `1:${formatNumber(value, 2)}`}
    />
  );
}
