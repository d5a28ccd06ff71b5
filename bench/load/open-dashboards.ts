import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Client } from '../../test/servers/plimsoll-process.ts';
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
  const file = fileURLToPath(new URL('./dashboards-task.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(order)]);
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await once(child, 'message');
}
