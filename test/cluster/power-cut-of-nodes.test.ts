import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { NatsStream } from '../../src/journal/jetstream/nats-stream.ts';
import { openStream } from '../journal-contract/jetstream-world.ts';
import { needs } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { whyNoMachines } from '../servers/machine.ts';
import { Machines } from '../servers/machines.ts';
import { NatsCluster } from '../servers/nats-cluster.ts';
import { enterNetworkOfItsOwn } from '../servers/network-of-its-own.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';

needs('postgres', 'nats', 'time');

const SEED = seedOr(20_261_123);
const CUTS = Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0) > 0 ? 8 : 1;
const BODY = new Uint8Array(500);
/** Side by side: one alone waits for three disks at each message. */
const SENDERS = 8;
const TRY_MS = 1000;
const PAUSE_MS = 20;
const SILENT = { warn() {} };

const server = await findNatsServer();
// Not earlier: the server may have to be fetched.
enterNetworkOfItsOwn();
const skip = 'missing' in server ? server.missing : await whyNoMachines();

type Acknowledged = { id: string; sequence: number };

/** Three servers that lose their power while messages are sent, and come back. */
async function cutAgainAndAgain(t: TestContext, syncInterval: string, cuts: number) {
  assert.ok('path' in server);
  // The servers go before their machines: one that runs on would make its folders anew.
  await using stack = new AsyncDisposableStack();
  const machines = await Machines.start(3);
  stack.defer(() => machines.stop());
  const cluster = await NatsCluster.start(server.path, { syncInterval, machines: machines.all });
  stack.defer(() => cluster.stop());
  const random = new Random(SEED);
  const acknowledged: Acknowledged[] = [];
  for (let cut = 0; cut < cuts; cut += 1) {
    const stream = cut === 0 ? await openStream(cluster.url) : await findStream(cluster.url);
    assert.ok(stream, 'the stream is there');
    let isOn = true;
    const send = async (sender: number): Promise<void> => {
      for (let n = 0; isOn; n += 1) {
        const id = `${cut}-${sender}-${n}`;
        const sequence = await stream.publish(id, BODY, TRY_MS).catch(() => undefined);
        if (sequence === undefined) await sleep(PAUSE_MS);
        else acknowledged.push({ id, sequence });
      }
    };
    const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
    const enough = acknowledged.length + random.between(20, 200);
    await until(() => acknowledged.length >= enough, `${enough} acknowledged messages`);
    await cluster.cutPower();
    isOn = false;
    await sending;
    await stream.close();
    for (const node of cluster.nodes) node.start();
    await cluster.ready();
  }
  const stream = await findStream(cluster.url);
  stack.defer(() => stream?.close());
  const lost: Acknowledged[] = [];
  try {
    for (const each of acknowledged) {
      const found = stream && (await read(stream, each.sequence));
      if (found !== each.id) lost.push(each);
    }
  } catch (error) {
    for (const node of cluster.nodes) t.diagnostic(`${node.name}:\n${await cluster.log(node)}`);
    throw error;
  }
  t.diagnostic(`${acknowledged.length} acknowledged, ${cuts} power cuts: ${lost.length} lost`);
  return { acknowledged, lost };
}

/** The id of a message, once a server answers. */
async function read(stream: NatsStream, sequence: number): Promise<string | undefined> {
  let answer: { id: string } | undefined;
  const ask = async (): Promise<boolean> => {
    answer = await stream.get(sequence);
    return true;
  };
  await until(() => ask().catch(() => false), `an answer about message ${sequence}`);
  return answer?.id;
}

/** As a process does that starts again; undefined where the power cut took the stream itself. */
async function findStream(urls: string): Promise<NatsStream | undefined> {
  let stream: NatsStream | undefined;
  const isKnown = async (): Promise<boolean> => {
    try {
      stream = await NatsStream.open({ urls, logger: SILENT, holdsJournal: true });
      return true;
    } catch (error) {
      return String(error).includes('stream not found');
    }
  };
  await until(isKnown, 'word of the stream');
  return stream;
}

describe(`three NATS servers whose power is cut at once (seed ${SEED})`, { skip }, () => {
  it('keep every acknowledged message', async (t) => {
    const { lost } = await cutAgainAndAgain(t, 'always', CUTS);
    assert.deepEqual(lost, []);
  });

  it('lose acknowledged messages if sync_interval is not "always"', async (t) => {
    // So the power cuts of this test are real ones.
    const { lost } = await cutAgainAndAgain(t, '2m', 1);
    assert.ok(lost.length > 0);
  });
});
