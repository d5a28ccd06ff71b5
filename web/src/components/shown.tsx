import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';

/** What was read, or how reading it goes: loading, failed, or empty. */
export function Shown<Data>(props: {
  read: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** Names what is loaded: `programs`. */
  what: string;
  /** About as long as what will be there. */
  lines?: number;
  height?: number;
  /** What is shown of an empty list. */
  empty?: ReactNode;
  /** In a card without an edge of its own. */
  isInset?: boolean;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = props.read;
  const note = error ? (
    <ErrorNote error={error} retry={refetch} />
  ) : data === undefined ? (
    <Loading
      label={`Loading ${props.what}`}
      lines={props.lines ?? 3}
      {...(props.height ? { height: props.height } : {})}
    />
  ) : null;
  const isEmpty = Array.isArray(data) && data.length === 0;
  return (
    <>
      {note && props.isInset ? <div className="card-inset">{note}</div> : note}
      {data === undefined
        ? null
        : isEmpty && props.empty !== undefined
          ? props.empty
          : props.children(data)}
    </>
  );
}
