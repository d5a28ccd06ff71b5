import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  handleIncidentsOperation,
  IncidentRecord,
  readIncidentOperation,
} from '../../../src/contract/operations/incidents.ts';
import { showToast } from '../components/toast.tsx';
import { type Answer, ApiError, call } from '../lib/api.ts';
import { type Handling, isSo, whatCame } from './handling-words.ts';

/** As many as the server takes. */
const MOST_AT_ONCE = 200;

/** What is done to incidents, as they were seen. */
export type Act = { seen: readonly IncidentRecord[]; handling: Handling };
type Handled = Answer<typeof handleIncidentsOperation>['incidents'];

/** An act that was not done, because some of its incidents are not as they were seen. */
export type Overtaken = {
  act: Act;
  /** These, as they are now; of many, the first. */
  changed: readonly { was: IncidentRecord; is: IncidentRecord }[];
  /** It done to the others, for which nothing speaks against it. */
  others: Act;
};

/** Handles incidents as they were seen. What somebody else did meanwhile is told, not replaced. */
export function useActs() {
  const queries = useQueryClient();
  const [overtaken, setOvertaken] = useState<Overtaken>();
  const settle = () => queries.invalidateQueries({ queryKey: ['incidents'] });
  const work = useMutation({
    mutationFn: (act: Act) => perform(act, settle),
    onMutate: () => setOvertaken(undefined),
    onError: async (error) => {
      if (!(error instanceof NotAsSeen)) return;
      const told = await readAgain(error);
      const [only] = told.changed;
      // Somebody has done what was wanted: there is nothing to decide.
      if (only && error.act.seen.length === 1 && isSo(only.is, error.act.handling)) {
        showToast(`${only.is.accountName}: ${whatCame(only.was, only.is)}`);
      } else setOvertaken(told);
    },
    onSettled: async (_, error) => {
      const reading = settle();
      // A refusal is told at once.
      if (!error) await reading;
    },
  });
  const isTold = work.error instanceof NotAsSeen;
  return {
    act: work.mutate,
    mutateAsync: work.mutateAsync,
    isPending: work.isPending,
    /** Why it was not done, unless `overtaken` says so. */
    error: isTold ? null : work.error,
    overtaken,
    leave: () => setOvertaken(undefined),
  };
}

/** Some are not as they were seen: nothing was done to these incidents. */
class NotAsSeen extends Error {
  readonly act: Act;
  readonly places: readonly number[];
  constructor(act: Act, places: readonly number[]) {
    super('Changed since you read it');
    this.act = act;
    this.places = places;
  }
}

/** Does it to as many at a time as the server takes, and offers to undo what was done. */
async function perform({ seen, handling }: Act, settle: () => unknown): Promise<void> {
  const handled: Handled = [];
  try {
    for (let from = 0; from < seen.length; from += MOST_AT_ONCE) {
      const slice = seen.slice(from, from + MOST_AT_ONCE);
      const act = { seen: slice, handling };
      const answer = await send(slice, handling).catch((error: unknown) => {
        const places = placesIn(error);
        throw places.length > 0 ? new NotAsSeen({ ...act, seen: seen.slice(from) }, places) : error;
      });
      handled.push(...answer.incidents);
    }
  } finally {
    if (handled.length > 0) tell(seen.slice(0, handled.length), handling, handled, settle);
  }
}

/** A note alone replaces nothing: it is added whatever else was done. */
function send(seen: readonly { id: number; version: string }[], handling: Handling) {
  const { acknowledged, assignee } = handling;
  const isNote = acknowledged === undefined && assignee === undefined;
  const ids = seen.map(({ id }) => id);
  const versions = seen.map(({ version }) => version);
  const body = { ids, ...(isNote ? {} : { versions }), ...handling };
  return call<typeof handleIncidentsOperation>('PATCH /users/current/incidents', { body });
}

const placesIn = (error: unknown): number[] =>
  error instanceof ApiError && error.status === 409
    ? error.faults.flatMap(({ parameter }) => {
        const [, place] = /^ids\[(\d+)\]$/.exec(parameter) ?? [];
        return place === undefined ? [] : [Number(place)];
      })
    : [];

const MOST_READ = 20;

async function readAgain({ act, places }: NotAsSeen): Promise<Overtaken> {
  const { seen, handling } = act;
  const changed = await Promise.all(
    places.slice(0, MOST_READ).flatMap((place) => {
      const was = seen[place];
      return was ? [read(was.id).then((is) => ({ was, is }))] : [];
    }),
  );
  return { act, changed, others: { seen: seen.filter((_, at) => !places.includes(at)), handling } };
}

const read = (id: number): Promise<IncidentRecord> =>
  call<typeof readIncidentOperation>('GET /users/current/incidents/:id', {
    params: { id: String(id) },
  });

function tell(
  seen: readonly IncidentRecord[],
  handling: Handling,
  handled: Handled,
  settle: () => unknown,
): void {
  const steps = stepsBack(seen, handling, handled);
  const undo = async (): Promise<void> => {
    try {
      for (const { now, back } of steps) {
        for (let from = 0; from < now.length; from += MOST_AT_ONCE) {
          await send(now.slice(from, from + MOST_AT_ONCE), back);
        }
      }
    } catch (error) {
      throw placesIn(error).length > 0 ? new Error('somebody has handled it since.') : error;
    } finally {
      await settle();
    }
  };
  showToast(wordsOf(seen, handling), steps.length > 0 ? { undo } : {});
}

/** What takes it back; none where nothing changed, or for a note, which stays. */
function stepsBack(
  seen: readonly IncidentRecord[],
  { acknowledged, assignee, note }: Handling,
  handled: Handled,
): { now: Handled; back: Handling }[] {
  if (note !== undefined) return [];
  const nowOf = (was: readonly IncidentRecord[]): Handled => {
    const ids = new Set(was.map(({ id }) => id));
    return handled.filter(({ id }) => ids.has(id));
  };
  if (acknowledged !== undefined) {
    const changed = seen.filter((each) => each.acknowledged !== acknowledged);
    return changed.length > 0
      ? [{ now: nowOf(changed), back: { acknowledged: !acknowledged } }]
      : [];
  }
  const changed = seen.filter((each) => (each.assignee ?? '') !== assignee);
  const byFormer = Map.groupBy(changed, (each) => each.assignee ?? '');
  return [...byFormer].map(([former, was]) => ({ now: nowOf(was), back: { assignee: former } }));
}

function wordsOf(seen: readonly IncidentRecord[], handling: Handling): string {
  const [first] = seen;
  const what =
    seen.length === 1
      ? `Incident ${first?.id}, ${first?.accountName}:`
      : `${seen.length} incidents`;
  const { acknowledged, assignee, note } = handling;
  if (note !== undefined) return 'Saved';
  if (acknowledged !== undefined) return `${what} ${acknowledged ? 'acknowledged' : 'open again'}`;
  return `${what} ${assignee ? `assigned to ${assignee}` : 'given back'}`;
}
