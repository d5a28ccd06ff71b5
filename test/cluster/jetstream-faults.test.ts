import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { feedUnderFire } from '../faults/feed-under-fire.ts';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { whyNoMachines } from '../servers/machine.ts';
import { Machines } from '../servers/machines.ts';
import { enterNetworkOfItsOwn } from '../servers/network-of-its-own.ts';
import { Random } from '../simulation/random.ts';
import { type JetstreamWorld, startJetstreamWorld } from './jetstream-world.ts';
import { machineStrikes } from './machine-strikes.ts';
import { natsStrikes } from './nats-strikes.ts';
import { processStrikes } from './process-strikes.ts';

needs('postgres', 'server', 'nats', 'time');

const SEED = seedOr(20_261_123);
/** How long it goes on at least; without it, a few kinds of fault strike once. */
const MINUTES = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0);
/** Faults of a long run that come with another one, of another group. */
const TOGETHER = 0.3;
/** Time of a run of all tests, on this computer and on separate machines. */
const SHORT = [
  ...['kill of the leader', 'kill of all nodes', 'kill of one node after another'],
  ...['pause of the leader', 'pause of two nodes', 'answers lost', 'connections cut'],
  ...['SIGKILL of a process', 'SIGTERM of a process', 'kill of all nodes and processes'],
];
const SHORT_ON_MACHINES = ['power cut of all nodes', 'leader cut off from its peers'];

type Strikes = Record<string, () => Promise<void>>;

const server = await findNatsServer();
// Not earlier: the server may have to be fetched.
enterNetworkOfItsOwn();
const skip = 'missing' in server ? server.missing : false;
const noMachines = await whyNoMachines();

describe(`a journal on three NATS servers (seed ${SEED})`, { skip }, () => {
  const start = (t: TestContext, machines?: Machines): Promise<JetstreamWorld> => {
    assert.ok('path' in server);
    return startJetstreamWorld(t, server.path, machines);
  };

  async function strikeOn(
    t: TestContext,
    { processes }: JetstreamWorld,
    { groups: all, short }: { groups: Strikes[]; short: readonly string[] },
  ): Promise<void> {
    const random = new Random(SEED);
    const groups = MINUTES > 0 ? all : all.map((group) => only(group, short));
    const kinds = groups.flatMap((group) => Object.entries(group));
    const rounds = shuffled(random, groups, MINUTES > 0 ? TOGETHER : 0);
    const strike = async (): Promise<string> => {
      const struck = rounds.next().value;
      await Promise.all(struck.map(([, harm]) => harm()));
      return struck
        .map(([name]) => name)
        .sort()
        .join(' + ');
    };
    // As behind a proxy that knows all of them.
    const turns = new Random(SEED);
    const address = (): string => turns.pick(processes).address;
    const { unavailable } = await feedUnderFire(t, {
      ...{ seed: SEED, minutes: MINUTES, random, strike, address },
      strikes: MINUTES > 0 ? Number.POSITIVE_INFINITY : kinds.length,
      sparesSetUp: kinds.length < SHORT.length,
    });
    assert.ok(MINUTES === 0 || unavailable > 0, 'requests met a cluster without a leader');
  }

  const isCovered = MINUTES > 0 && noMachines === false && 'the next one does all of this as well';
  const also = { skip: isCovered };
  it(
    'loses nothing, folds nothing twice and overtakes nothing, with any fault',
    also,
    async (t) => {
      const world = await start(t);
      const random = new Random(SEED + 1);
      const { cluster, ways, processes } = world;
      const servers = natsStrikes(cluster, ways, random);
      const groups = [servers, processStrikes(cluster, processes, random)];
      await strikeOn(t, world, { groups, short: SHORT });
    },
  );

  const machinesOnly = { skip: noMachines };
  it(
    'does so when machines lose their power, or the network between them splits, too',
    machinesOnly,
    async (t) => {
      const machines = await Machines.start(3);
      const world = await start(t, machines);
      const random = new Random(SEED + 1);
      const { cluster, ways, processes } = world;
      const groups = [
        machineStrikes(cluster, machines, random),
        natsStrikes(cluster, ways, random),
        processStrikes(cluster, processes, random),
      ];
      await strikeOn(t, world, { groups, short: SHORT_ON_MACHINES });
    },
  );
});

const only = (group: Strikes, names: readonly string[]): Strikes =>
  Object.fromEntries(Object.entries(group).filter(([name]) => names.includes(name)));

type Kind = [name: string, harm: () => Promise<void>];

/** Kinds in random rounds, each once a round; a share comes with another one, of another group. */
function* shuffled(
  random: Random,
  groups: readonly Strikes[],
  together: number,
): Generator<Kind[], never> {
  for (;;) {
    const round = groups.flatMap((group) => Object.entries(group).map((kind) => ({ group, kind })));
    while (round.length > 0) {
      const [chosen] = round.splice(random.between(0, round.length - 1), 1);
      if (!chosen) continue;
      const others = groups.filter((group) => group !== chosen.group);
      const isAlone = !random.chance(together);
      const other = isAlone ? [] : [random.pick(Object.entries(random.pick(others)))];
      yield [chosen.kind, ...other];
    }
  }
}
