import type { ReactNode } from 'react';

/** Says what belongs here and how to get it. */
export function Empty(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="12" />
        <path d="M4 24h40" />
      </svg>
      <p className="empty-title">{props.title}</p>
      {props.children ? <div className="empty-text">{props.children}</div> : null}
      {props.action}
    </div>
  );
}
