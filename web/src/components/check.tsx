import type { ReactNode } from 'react';

/** A checkbox, with its text. */
export function Check(props: {
  isOn: boolean;
  set: (isOn: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={props.isOn}
        disabled={props.disabled}
        onChange={({ target }) => props.set(target.checked)}
      />
      {props.children}
    </label>
  );
}
