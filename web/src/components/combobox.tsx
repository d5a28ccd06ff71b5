import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';

export type Choice = { id: string; title: string; hint?: string };

/**
 * A field that offers choices for what is typed, as the ARIA practices describe a combobox with a list:
 * arrows move, Enter takes, Escape closes the list.
 */
export function Combobox(props: {
  /** Id, and what else the label's field gives. */
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
  /** Said below the choices, such as that there are more. */
  note?: ReactNode;
  /** The list is part of the page instead of lying over it. */
  isInline?: boolean;
}) {
  const { choices } = props;
  const listId = useId();
  // An id of an element has no spaces.
  const idOf = ({ id }: Choice): string => `${listId}-${encodeURIComponent(id)}`;
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const active = choices[Math.min(at, choices.length - 1)];
  const isShown = props.isInline || isOpen;
  const take = (choice: Choice): void => {
    setOpen(false);
    props.choose(choice);
  };
  const [isEntered, setEntered] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the choices are right
  useEffect(() => {
    if (!isEntered || props.isBehind) return;
    setEntered(false);
    if (isShown && active) take(active);
  }, [isEntered, props.isBehind]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((Math.min(at, choices.length - 1) + step + choices.length) % (choices.length || 1));
    } else if (event.key === 'Enter' && isShown && (active || props.isBehind)) {
      event.preventDefault();
      setEntered(true);
    } else if (event.key === 'Escape' && isOpen && !props.isInline) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
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
        onChange={(event) => {
          setOpen(true);
          setAt(0);
          setEntered(false);
          props.change(event.target.value);
        }}
        onKeyDown={press}
        onFocus={(event) => event.target.select()}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          setEntered(false);
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
            onClick={() => take(choice)}
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
