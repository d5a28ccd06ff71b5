import { MAX_COUNTED_INCIDENTS } from '../../contract/operations/incidents.ts';
import { type LiveMessage, MAX_TOLD_INCIDENTS } from '../../contract/operations/live-standing.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { isBreach } from '../../domain/live/live-records.ts';
import type { IncidentNews, ToldIncident } from '../../feeds/standing-source.ts';
import type { Sql } from '../../storage/database.ts';
import {
  countOpenIncidents,
  findIncidents,
  type IncidentPlace,
  listIncidentRows,
  readIncidentEvents,
} from '../../storage/incident-store.ts';
import { keyOf, readHandling, readVersions } from './present-handling.ts';

type LiveIncident = NonNullable<Extract<LiveMessage, { kind: 'account' }>['incidents']>[number];

/** The newest open incidents of accounts of a user, and how many each account has. */
export async function tellOpen(
  sql: Sql,
  userId: string,
  accountNumbers: readonly number[],
  areAll: boolean,
): Promise<ToldIncident[]> {
  const filter = areAll ? { userId } : { userId, accountNumbers: new Set(accountNumbers) };
  const most = MAX_COUNTED_INCIDENTS;
  const open = await listIncidentRows(sql, filter, 'open', Number.MAX_SAFE_INTEGER, most);
  const byAccount = Map.groupBy(open, ({ accountNumber }) => accountNumber);
  const told: ToldIncident[] = [];
  for (const own of byAccount.values()) {
    told.push(...(await tellIncidents(sql, userId, own.slice(0, MAX_TOLD_INCIDENTS))));
    const [{ accountNumber } = { accountNumber: 0 }] = own;
    if (own.length > MAX_TOLD_INCIDENTS) {
      told.push({ accountNumber, part: 'incidents', name: 'more', text: '"moreIncidents":true' });
    }
  }
  for (const accountNumber of accountNumbers) {
    if (byAccount.has(accountNumber)) continue;
    // Beyond the bound of the list, accounts may have older ones.
    told.push(await tellCount(sql, userId, accountNumber, open.length < most));
  }
  return told;
}

async function tellCount(
  sql: Sql,
  userId: string,
  accountNumber: number,
  isNone = false,
): Promise<ToldIncident> {
  const filter = { userId, accountNumber };
  const open = isNone ? 0 : await countOpenIncidents(sql, filter, MAX_COUNTED_INCIDENTS);
  const text = `"openIncidents":${open}`;
  return { accountNumber, part: 'incidents', name: 'open', text };
}

/** What to tell of incidents that have changed, and of the accounts that they are of. */
export async function tellIncidents(
  sql: Sql,
  userId: string,
  news: readonly IncidentNews[],
): Promise<ToldIncident[]> {
  const incidents = await presentLive(sql, await placesOf(sql, userId, news));
  const told: ToldIncident[] = incidents.map(({ accountNumber, incident }) => ({
    ...{ accountNumber, part: 'incident', name: String(incident.id) },
    text: JSON.stringify(incident),
  }));
  for (const [accountNumber, events] of lastEvents(news)) {
    const text = `"lastEvent":${events}`;
    told.push({ accountNumber, part: 'incidents', name: 'lastEvent', text });
  }
  for (const accountNumber of new Set(incidents.map((each) => each.accountNumber))) {
    told.push(await tellCount(sql, userId, accountNumber));
  }
  return told;
}

/** The places of incidents: those named, those of breaches, and those that revisions revise. */
async function placesOf(
  sql: Sql,
  userId: string,
  news: readonly IncidentNews[],
): Promise<IncidentPlace[]> {
  const revised: number[] = [];
  const places: IncidentPlace[] = [];
  for (const each of news) {
    const { accountNumber } = each;
    if ('timeMs' in each) places.push({ accountNumber, timeMs: each.timeMs });
    else if (each.event.revises !== undefined) revised.push(each.event.revises);
    else if (isBreach(each.event.event)) {
      places.push({ accountNumber, timeMs: each.event.event.timeMs });
    }
  }
  if (revised.length > 0) places.push(...(await findIncidents(sql, { userId }, revised)));
  return [...new Map(places.map((place) => [keyOf(place), place])).values()];
}

function lastEvents(news: readonly IncidentNews[]): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const each of news) {
    if ('event' in each) last.set(each.accountNumber, each.event.sequenceNumber);
  }
  return last;
}

async function presentLive(
  sql: Sql,
  places: readonly IncidentPlace[],
): Promise<{ accountNumber: number; incident: LiveIncident }[]> {
  const all = await readIncidentEvents(sql, places);
  const events = Map.groupBy(all, ({ accountNumber, event }) =>
    keyOf({ accountNumber, timeMs: event.timeMs }),
  );
  const handlingOf = await readHandling(sql, places, 1);
  const versionOf = await readVersions(sql, all);
  return places.flatMap((place) => {
    const own = events.get(keyOf(place)) ?? [];
    const [first] = own;
    if (!first) return [];
    const { entries, ...handling } = handlingOf(place, own);
    const [entry] = entries;
    const incident = {
      ...{ id: first.sequenceNumber, brokerTime: formatBrokerTime(place.timeMs) },
      version: versionOf(own, handling.entryCount),
      ...handling,
      ...(entry ? { entry } : {}),
    };
    return [{ accountNumber: place.accountNumber, incident }];
  });
}
