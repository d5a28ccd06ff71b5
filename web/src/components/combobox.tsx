import { type ReactNode, useId } from 'react';
import { type Choice, useListedChoices } from './use-listed-choices.ts';

type Props = {
  /** Id, and the other attributes from the label's field. */
  control?: Record<string, unknown>;
  label?: string;
  placeholder?: string;
  text: string;
  change: (text: string) => void;
  choices: readonly Choice[];
  /** The choices are still those of an earlier text: Enter waits for its own. */
  isBehind?: boolean;
  choose: (choice: Choice) => void;
  /** Left without a choice. */
  left?: () => void;
  /** Text below the choices, such as that there are more. */
  note?: ReactNode;
  /** The list is part of the page instead of lying over it. */
  isInline?: boolean;
};

/**
 * A field that offers choices for the typed text: the combobox with a list of the ARIA practices:
 * arrows move, Enter takes, Escape closes the list.
 */
export function Combobox(props: Props) {
  const { choices } = props;
  const listId = useId();
  // An id of an element has no spaces.
  const idOf = ({ id }: Choice): string => `${listId}-${encodeURIComponent(id)}`;
  const list = useListedChoices(props);
  const { isShown, active } = list;
  return (
    <div className="combobox">
      <input
        {...props.control}
        role="combobox"
        aria-label={props.label}
        aria-expanded={isShown && choices.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active ? idOf(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={props.placeholder}
        value={props.text}
        onChange={({ target }) => {
          list.begin();
          props.change(target.value);
        }}
        onKeyDown={list.press}
        onFocus={({ target }) => target.select()}
        onClick={list.open}
        onBlur={() => {
          list.close();
          props.left?.();
        }}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={props.label ?? 'Choices'}
        className={`choices ${props.isInline ? 'choices-inline' : ''}`}
        hidden={!isShown || choices.length === 0}
      >
        {choices.map((choice) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's, which keeps the focus
          <div
            key={choice.id}
            id={idOf(choice)}
            role="option"
            tabIndex={-1}
            aria-selected={choice === active}
            className="choice"
            // Before the field loses the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => list.take(choice)}
          >
            <span>{choice.title}</span>
            {choice.hint ? <span className="hint">{choice.hint}</span> : null}
          </div>
        ))}
      </div>
      {isShown && props.note ? <p className="hint">{props.note}</p> : null}
    </div>
  );
}
