import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';
import { Empty } from './empty.tsx';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';

/** Why one record is not shown: there is none, reading it failed, or it is still being read. */
export function NotThere(props: {
  /** Names it: `account`. */
  what: string;
  read: { error: unknown; refetch: () => unknown };
  /** Where to go if there is none. */
  action: ReactNode;
  /** How that comes about. */
  children?: ReactNode;
}) {
  const { what, action } = props;
  const { error, refetch } = props.read;
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty title={`There is no such ${what}`} action={action}>
        {props.children ?? 'It was deleted, or it belongs to another user.'}
      </Empty>
    );
  if (error) return <ErrorNote error={error} retry={refetch} />;
  return <Loading label={`Loading the ${what}`} lines={6} />;
}
