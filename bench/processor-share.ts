import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Short, so that a process that has used up its share stands still for some milliseconds only. */
const PERIOD_US = 10_000;

/** Where control groups share out the processor, and how a group is told its limit. */
type Controller = { folder: string; limit(group: string, quotaUs: number): void };

const V1: Controller = {
  folder: '/sys/fs/cgroup/cpu',
  limit(group, quotaUs) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
  },
};
const V2: Controller = {
  folder: '/sys/fs/cgroup',
  limit(group, quotaUs) {
    writeFileSync(join(V2.folder, 'cgroup.subtree_control'), '+cpu');
    writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`);
  },
};

/** Why processes cannot be given shares of a processor here; undefined where they can. */
export function whyNoShares(): string | undefined {
  try {
    const group = makeGroup('probe', 1);
    rmdirSync(group);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Gives a process so much of a processor, and no more, until the stack ends; root only. */
export function giveShare(
  stack: DisposableStack | AsyncDisposableStack,
  pid: number,
  cores: number,
) {
  const group = makeGroup(String(pid), cores);
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  stack.defer(() => {
    // It ends with all of the processor, and a group that has processes stays.
    writeFileSync(join(controller().folder, 'cgroup.procs'), String(pid));
    rmdirSync(group);
  });
}

function makeGroup(name: string, cores: number): string {
  const { folder, limit } = controller();
  const group = join(folder, `plimsoll-bench-${name}`);
  mkdirSync(group, { recursive: true });
  limit(group, Math.round(cores * PERIOD_US));
  return group;
}

function controller(): Controller {
  if (existsSync(V1.folder)) return V1;
  const controllers = readFileSync(join(V2.folder, 'cgroup.controllers'), 'utf8');
  if (!controllers.split(/\s/).includes('cpu'))
    throw new Error('No control group has the processor');
  return V2;
}
