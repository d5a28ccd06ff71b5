import type { ButtonHTMLAttributes } from 'react';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'small';
  /** Work is running: the button shows it and accepts no second press. */
  busy?: boolean;
};

export function Button({ kind = 'plain', size, busy, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={`button button-${kind} ${size ? `button-${size}` : ''} ${className ?? ''}`}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}
