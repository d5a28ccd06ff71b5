import { type ReactNode, useId } from 'react';

/** A choice of one among a few words. */
export function Segmented<Value extends string>(props: {
  legend: string;
  options: readonly { value: Value; title: ReactNode }[];
  value: Value;
  choose: (value: Value) => void;
  isLarge?: boolean;
}) {
  const name = useId();
  return (
    <fieldset className={`segmented ${props.isLarge ? '' : 'segmented-small'}`}>
      <legend className="visually-hidden">{props.legend}</legend>
      {props.options.map(({ value, title }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === props.value}
            onChange={() => props.choose(value)}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}
