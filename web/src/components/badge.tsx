import type { ReactNode } from 'react';

export function Badge(props: {
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent';
  children: ReactNode;
}) {
  return <span className={`badge badge-${props.tone ?? 'plain'}`}>{props.children}</span>;
}
