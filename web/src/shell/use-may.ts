import { useCurrentToken } from './use-current-token.ts';

/** What the token allows; nothing until that is known, so that nothing is offered in vain. */
export type May = {
  /** Change what belongs to the user. */
  write: boolean;
  /** Send statements, deals and snapshots. */
  ingest: boolean;
  /** Have something done on platforms at breaches. */
  act: boolean;
  admin: boolean;
  /** Have more accounts: a token of some accounts may not. */
  addAccounts: boolean;
  /** Reach what is the whole user's: provisioning profiles, and what is done through them. */
  wholeUser: boolean;
  /** The token's answer is here. */
  isKnown: boolean;
};

export function useMay(): May {
  const token = useCurrentToken();
  const has = (scope: 'write' | 'ingest' | 'actions' | 'admin'): boolean =>
    token?.scopes.includes(scope) ?? false;
  const isWhole = token !== undefined && token.accountIds === undefined;
  return {
    write: has('write'),
    ingest: has('ingest'),
    act: has('actions') && isWhole,
    admin: has('admin') && isWhole,
    addAccounts: has('write') && isWhole,
    wholeUser: isWhole && token.userId !== undefined,
    isKnown: token !== undefined,
  };
}
