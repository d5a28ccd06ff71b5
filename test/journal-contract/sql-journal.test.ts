import { needs } from '../needs.ts';
import { registerJournalContract } from './journal-contract.ts';
import { openSqlWorld } from './journal-world.ts';

needs('postgres');

for (const kind of ['sqlite', 'postgres'] as const) {
  registerJournalContract(kind, () => openSqlWorld(kind));
}
