import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  readEventMailOperation,
  setEventMailOperation,
} from '../../../../src/contract/operations/event-mail.ts';
import { type Answer, call } from '../../lib/api.ts';

const PATH = '/users/current/event-mail' as const;
const KEY = ['event-mail'];

export type EventMail = Answer<typeof readEventMailOperation>;

export const useEventMail = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call<typeof readEventMailOperation>(`GET ${PATH}`, {}, signal),
  });

export function useSetEventMail() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<EventMail>) =>
      call<typeof setEventMailOperation>(`PUT ${PATH}`, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
