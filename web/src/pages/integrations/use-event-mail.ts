import type {
  readEventMailOperation,
  setEventMailOperation,
} from '../../../../src/contract/operations/event-mail.ts';
import type { Answer } from '../../lib/api.ts';
import { useChange, useRead } from '../../lib/use-operation.ts';

const PATH = '/users/current/event-mail' as const;
const KEY = ['event-mail'];

export type EventMail = Answer<typeof readEventMailOperation>;

export const useEventMail = () => useRead<typeof readEventMailOperation>(KEY, `GET ${PATH}`, {});

export const useSetEventMail = () => useChange<typeof setEventMailOperation>(`PUT ${PATH}`, KEY);
