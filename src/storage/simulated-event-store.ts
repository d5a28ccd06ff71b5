import { type Database, type Row, UniqueViolation } from './database.ts';

/** The most events of one load; the platform asks again for more. */
const MAX_EVENTS = 1_000;

type EventRow = Row & { event: string };

/** Stores the events of a profile's simulated platform: a SimulatedStore. */
export function createSimulatedEventStore(
  database: Database,
  profileId: string,
): {
  load(after: number): Promise<string[]>;
  append(number: number, event: string): Promise<boolean>;
} {
  return {
    async load(after) {
      const rows = await database.all<EventRow>(
        `select event from simulated_event where profile_id = $1 and number > $2
         order by number limit ${MAX_EVENTS}`,
        [profileId, after],
      );
      return rows.map(({ event }) => event);
    },
    async append(number, event) {
      try {
        await database.transaction((tx) =>
          tx.run('insert into simulated_event values ($1, $2, $3)', [profileId, number, event]),
        );
        return true;
      } catch (error) {
        if (error instanceof UniqueViolation) return false;
        throw error;
      }
    },
  };
}
