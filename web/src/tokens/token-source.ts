import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  createOwnTokenOperation,
  deleteOwnTokenOperation,
  listOwnTokensOperation,
  rotateOwnTokenOperation,
} from '../../../src/contract/operations/own-tokens.ts';
import type {
  createTokenOperation,
  deleteTokenOperation,
  listTokensOperation,
  rotateTokenOperation,
} from '../../../src/contract/operations/users.ts';
import { TOKEN_SCOPES } from '../../../src/words/service.ts';
import { type Answer, call, callAll, type Input } from '../lib/api.ts';
import { linkOf } from '../lib/sign-in-link.ts';

export type Token = Answer<typeof listTokensOperation>[number];
export type Scope = Token['scopes'][number];
export type NewToken = Input<typeof createTokenOperation>['body'];

/** Where tokens are listed, created and revoked: those of any user by an operator, or one's own. */
export type TokenSource = {
  key: readonly string[];
  /** Scopes available for a new one. */
  scopes: readonly Scope[];
  list: (signal: AbortSignal) => Promise<Token[]>;
  create: (body: NewToken) => Promise<{ id: string; token: string }>;
  /** Also with all that it made. */
  revoke: (id: string, withMade: boolean) => Promise<unknown>;
  /** Replaces its secret; the old one lasts for a while. */
  rotate: (id: string) => Promise<{ id: string; token: string }>;
};

export const tokensOf = (userId: string): TokenSource => ({
  key: ['tokens', userId],
  scopes: TOKEN_SCOPES,
  list: (signal) =>
    callAll<typeof listTokensOperation>(
      'GET /admin/users/:userId/tokens',
      { params: { userId } },
      signal,
    ),
  create: (body) =>
    call<typeof createTokenOperation>('POST /admin/users/:userId/tokens', {
      params: { userId },
      body,
    }),
  revoke: (id, withMade) =>
    call<typeof deleteTokenOperation>('DELETE /admin/tokens/:id', {
      params: { id },
      query: { withMade },
    }),
  rotate: (id) =>
    call<typeof rotateTokenOperation>('POST /admin/tokens/:id/rotation', {
      params: { id },
      body: {},
    }),
});

export const ownTokens = (scopes: readonly Scope[]): TokenSource => ({
  key: ['tokens', 'own'],
  scopes,
  list: (signal) => callAll<typeof listOwnTokensOperation>('GET /users/current/tokens', {}, signal),
  create: (body) => call<typeof createOwnTokenOperation>('POST /users/current/tokens', { body }),
  revoke: (id, withMade) =>
    call<typeof deleteOwnTokenOperation>('DELETE /users/current/tokens/:id', {
      params: { id },
      query: { withMade },
    }),
  rotate: (id) =>
    call<typeof rotateOwnTokenOperation>('POST /users/current/tokens/:id/rotation', {
      params: { id },
      body: {},
    }),
});

export const useTokens = ({ key, list }: TokenSource) =>
  useQuery({ queryKey: key, queryFn: ({ signal }) => list(signal) });

/** Creates a token, and a link that signs in with it if it may read. */
export function useCreateToken({ key, create }: TokenSource) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewToken) => {
      const { token } = await create(body);
      return { token, link: await linkOf(token).catch(() => undefined) };
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
}

export function useRevokeToken({ key, revoke }: TokenSource) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, withMade }: { id: string; withMade: boolean }) => revoke(id, withMade),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
}

export function useRotateToken({ key, rotate }: TokenSource) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: rotate,
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
}

/** What a token made, and what that made, of those in the list. */
export function madeBy(id: string, tokens: readonly Token[]): Token[] {
  const found = tokens.filter((token) => token.madeBy === id);
  return found.flatMap((token) => [token, ...madeBy(token.id, tokens)]);
}
