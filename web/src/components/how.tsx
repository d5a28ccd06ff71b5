import type { ReactNode } from 'react';

/** Says on request what a figure is, in a sentence with its formula. */
export const How = ({ of: title, children }: { of: string; children: ReactNode }) => (
  <details className="how">
    <summary>
      How?<span className="visually-hidden"> {title}</span>
    </summary>
    {children}
  </details>
);
