import type { Engine } from '../../engine/engine.ts';
import type { LiveReader } from '../../engine/live-reader.ts';
import type { StandingSource } from '../../feeds/standing-source.ts';
import { findNumbered, listAccountsAfter } from '../../storage/account-store.ts';
import { readFigures } from '../../storage/live-store.ts';
import { readLeastPosition } from '../../storage/partition-store.ts';
import type { Context } from '../context.ts';
import { tellIncidents, tellOpen } from '../incidents/live-incidents.ts';
import { LiveStates } from './live-states.ts';

const ACCOUNTS_PER_READ = 500;

/** What the feed of standings reads: accounts, what they stand at, and their incidents. */
export function liveSource(
  context: Pick<Context, 'database' | 'catalogue' | 'now'> & { live: LiveReader },
  engine: Pick<Engine, 'onFolded'> | undefined,
): StandingSource {
  const { database, live } = context;
  const states = new LiveStates(context);
  let readUpTo = 0;
  return {
    onFolded: (heard) => engine?.onFolded(heard),
    isFolded: live.isFolded,
    async storedAnew(accountNumbers) {
      if (accountNumbers.length === 0) return [];
      const least = await readLeastPosition(database);
      // A database restored to an earlier state counts from there.
      const since = least < readUpTo ? 0 : readUpTo;
      const found = await readFigures(database, accountNumbers, since);
      readUpTo = least;
      return [...found.keys()];
    },
    async accountsOf(userId, numbers, most) {
      if (numbers) {
        const found = await findNumbered(database, numbers);
        return new Map(found.map(({ number, id }) => [number, id]));
      }
      const accounts = new Map<number, string>();
      for (let after = ''; accounts.size <= most; ) {
        const page = await listAccountsAfter(database, userId, after, ACCOUNTS_PER_READ);
        for (const { number, id } of page) accounts.set(number, id);
        after = page.at(-1)?.id ?? after;
        if (page.length < ACCOUNTS_PER_READ) break;
      }
      return accounts;
    },
    findAccounts: (numbers) => findNumbered(database, numbers),
    readStates: (accountNumbers, answer) => states.read(accountNumbers, answer),
    openIncidents: (userId, numbers, areAll) => tellOpen(database, userId, numbers, areAll),
    readIncidents: (userId, news) => tellIncidents(database, userId, news),
  };
}
