import { after, before, describe } from 'node:test';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { needs } from '../needs.ts';
import { NatsCluster } from '../servers/nats-cluster.ts';
import { openJetStreamWorld } from './jetstream-world.ts';
import { registerJournalContract } from './journal-contract.ts';

needs('postgres', 'nats');

const server = await findNatsServer();
const skip = 'missing' in server ? server.missing : false;

describe('with three real servers', { skip }, () => {
  let cluster: NatsCluster;
  before(async () => {
    if ('path' in server) cluster = await NatsCluster.start(server.path);
  });
  after(() => cluster.stop());

  registerJournalContract('jetstream', () => openJetStreamWorld(cluster));
});
