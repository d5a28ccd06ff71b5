import type { Database } from './database.ts';

/** Where a simulated platform keeps its state; see SimulatedStateStore in platforms/simulated. */
export function createSimulatedStateStore(
  database: Database,
  family: 'p4' | 'p5',
): { load(): Promise<string | undefined>; save(text: string): Promise<void> } {
  return {
    async load() {
      const row = await database.get<{ state: string }>(
        'select state from simulated_platform where family = $1',
        [family],
      );
      return row?.state;
    },
    async save(text) {
      await database.transaction((tx) =>
        tx.run(
          `insert into simulated_platform (family, state) values ($1, $2)
           on conflict (family) do update set state = excluded.state`,
          [family, text],
        ),
      );
    },
  };
}
