import { ROLE_SCOPES } from '../../../src/words/roles.ts';
import { useCurrentToken } from './use-current-token.ts';

const OWNER = ROLE_SCOPES.owner;

/** The rights of the token; none until known, so that nothing is offered in vain. */
export type May = {
  /** Change the user's own data. */
  write: boolean;
  /** Send statements, deals and snapshots. */
  ingest: boolean;
  /** Run actions on platforms at breaches. */
  act: boolean;
  admin: boolean;
  /** Manage the people of the user: an owner may. */
  people: boolean;
  /** Have more accounts: a token restricted to some may not. */
  addAccounts: boolean;
  /** Use resources of the whole user: provisioning profiles, and everything done through them. */
  wholeUser: boolean;
  /** The token's answer has arrived. */
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
    people:
      isWhole && token.userId !== undefined && OWNER.every((scope) => token.scopes.includes(scope)),
    addAccounts: has('write') && isWhole,
    wholeUser: isWhole && token.userId !== undefined,
    isKnown: token !== undefined,
  };
}
