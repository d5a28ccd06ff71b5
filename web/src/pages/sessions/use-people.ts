import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  changePersonOperation,
  inviteAgainOperation,
  invitePersonOperation,
  listPeopleOperation,
  removePersonOperation,
} from '../../../../src/contract/operations/people.ts';
import { type Answer, call, callAll, type Input } from '../../lib/api.ts';

export type Person = Answer<typeof listPeopleOperation>[number];
export type NewPerson = Input<typeof invitePersonOperation>['body'];
const KEY = ['people'];

export const usePeople = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      callAll<typeof listPeopleOperation>('GET /users/current/people', {}, signal),
  });

function useChange<In, Out>(change: (input: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export const useInvite = () =>
  useChange((body: NewPerson) =>
    call<typeof invitePersonOperation>('POST /users/current/people', { body }),
  );

export const useInviteAgain = () =>
  useChange((id: string) =>
    call<typeof inviteAgainOperation>('POST /users/current/people/:id/invitation', {
      params: { id },
    }),
  );

export type PersonChange = Input<typeof changePersonOperation>['body'];

export const useChangePerson = () =>
  useChange(({ id, ...body }: PersonChange & { id: string }) =>
    call<typeof changePersonOperation>('PATCH /users/current/people/:id', { params: { id }, body }),
  );

export const useRemovePerson = () =>
  useChange(({ id, withMade }: { id: string; withMade: boolean }) =>
    call<typeof removePersonOperation>('DELETE /users/current/people/:id', {
      params: { id },
      query: { withMade },
    }),
  );
