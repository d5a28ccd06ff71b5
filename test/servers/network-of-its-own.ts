import { existsSync } from 'node:fs';

const NEEDED = ['/usr/bin/unshare', '/usr/sbin/ip'];
/** Set in the restarted process. */
const IS_THERE = 'PLIMSOLL_TEST_NETWORK_OF_ITS_OWN';

/**
 * Restarts this process in a network that no other process sees, before its first test. Links that
 * come and go are told to every program of a network, and Chromium then breaks off the requests
 * that it has under way: a parallel test of the dashboard would fail. Does nothing where a process
 * may not make networks. The database server of the whole run can't be reached from there: a test
 * that needs one starts its own.
 */
export function enterNetworkOfItsOwn(): void {
  const isThere = process.env[IS_THERE] !== undefined;
  if (isThere || process.getuid?.() !== 0 || !NEEDED.every(existsSync)) return;
  const { PLIMSOLL_TEST_DATABASE_URL: _, ...environment } = process.env;
  environment[IS_THERE] = 'yes';
  // Continues in this network if unshare is forbidden, as in many containers.
  const script = 'unshare --net true && exec unshare --net sh -c "$UP" "$0" "$@" || exec "$0" "$@"';
  environment.UP = 'ip link set lo up && exec "$0" "$@"';
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.('/bin/sh', ['sh', '-c', script, ...command], environment as NodeJS.ProcessEnv);
}
