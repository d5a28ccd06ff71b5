import type { Client } from '../../test/servers/plimsoll-process.ts';
import { forkBeside } from '../forked.ts';
import type { DashboardsOrder } from './dashboards-task.ts';

/** Opens so many of a user's dashboards, in a process of their own that ends with the stack. */
export async function openDashboards(
  stack: AsyncDisposableStack,
  admin: Client,
  userId: string,
  count: number,
): Promise<void> {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const made = await admin.post<{ token: string }>(`/admin/users/${userId}/tokens`, {});
    tokens.push(made.body.token);
  }
  const order: DashboardsOrder = { address: admin.address, tokens };
  await forkBeside(stack, 'load/dashboards-task.ts', order);
}
