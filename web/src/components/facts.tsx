import type { ReactNode } from 'react';

/** What is told of a thing: its title, the value, and `span` where that is long. */
export type Fact = readonly [title: string, value: ReactNode, className?: 'span'];

/** A list of facts; those that are false, or have no value, are left out. */
export function Facts({ of: facts }: { of: readonly (Fact | false)[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) =>
        fact && fact[1] !== undefined && fact[1] !== '' ? (
          <div key={fact[0]} className={fact[2]}>
            <dt>{fact[0]}</dt>
            <dd className="number">{fact[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
