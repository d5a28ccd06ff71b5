import type { PlatformGroup } from '../gateway.ts';
import { batchOf, isUnsupported } from './batches.ts';
import type { P5Client } from './client.ts';
import { numberOf, type P5Record, textOf } from './record.ts';

/** Groups requested at a time. */
const GROUPS_PER_REQUEST = 100;
const MAX_GROUPS = 20_000;

/** All groups that the manager account sees, in the order of the server. */
export async function readGroups(client: P5Client): Promise<PlatformGroup[]> {
  const [first] = await batchOf(client, '/api/group/total', {});
  const total = first ? numberOf(first, 'total') || numberOf(first, 'Total') : 0;
  const groups: PlatformGroup[] = [];
  for (let index = 0; index < Math.min(total, MAX_GROUPS); ) {
    const rows = await groupsFrom(client, index);
    // The list became shorter during the read.
    if (rows.length === 0) break;
    for (const row of rows)
      groups.push({ name: textOf(row, 'Group'), currency: textOf(row, 'Currency') });
    index += rows.length;
  }
  return groups;
}

/** Some groups at a time, or one if the server does not know the count. */
async function groupsFrom(client: P5Client, index: number): Promise<P5Record[]> {
  const command = '/api/group/next';
  try {
    return await batchOf(client, command, { index, count: GROUPS_PER_REQUEST });
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return batchOf(client, command, { index });
  }
}
