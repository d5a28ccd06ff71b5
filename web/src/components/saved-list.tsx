import type { ReactNode } from 'react';
import { ConfirmButton } from './confirm-button.tsx';

/** What users saved under names, each with a button that deletes it, where that may be done. */
export function SavedList<Row extends { name: string }>(props: {
  rows: readonly Row[];
  /** The word for one: `view`. */
  what: string;
  /** What is lost with one and what stays. */
  consequence: string;
  removal: {
    isPending: boolean;
    error: unknown;
    mutateAsync: (input: { params: { name: string } }) => Promise<unknown>;
  };
  mayDelete?: boolean;
  /** What is told of one beside its name. */
  about?: (row: Row) => ReactNode;
}) {
  const { what, removal, about, mayDelete = true } = props;
  return (
    <ul className="saved-list">
      {props.rows.map((row) => (
        <li key={row.name} className="row">
          <span>
            {row.name} {about ? <span className="hint">{about(row)}</span> : null}
          </span>
          {mayDelete ? (
            <ConfirmButton
              label={`Delete the ${what} “${row.name}”`}
              question={`Delete the ${what} “${row.name}”?`}
              consequence={props.consequence}
              confirm="Delete"
              work={removal}
              subject={{ params: { name: row.name } }}
            >
              Delete
            </ConfirmButton>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
