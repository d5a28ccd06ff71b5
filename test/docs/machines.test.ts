import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { DEPLOY, deployFile, knownSettings } from '../deploy/files.ts';
import { needs } from '../needs.ts';
import { exampleOf, ROOT } from './blocks.ts';
import { Machine } from './machine.ts';

needs('server', 'curl');

describe('a service of systemd', () => {
  it('is installed, has a first user, and is restored from its backup', async (t) => {
    const machine = new Machine(t);
    await machine.type(exampleOf('deploy/README.md', 'useradd'));
    const settings = machine.read('etc/plimsoll/plimsoll.env');
    assert.match(settings, /TOKEN=[0-9a-f]{64}\n(.*\n)+.*KEY=[\w+/]{43}=\n/);
    assert.equal(statSync(join(machine.folder, 'etc/plimsoll/plimsoll.env')).mode & 0o777, 0o600);
    assert.equal(
      machine.read('etc/systemd/system/plimsoll.service'),
      deployFile('plimsoll.service'),
    );
    assert.equal(machine.read('systemctl.log'), 'daemon-reload\nenable --now plimsoll\n');
    // As the service does when it starts.
    await machine.type('plimsoll migrate --create');
    assert.match(
      await machine.type(exampleOf('deploy/README.md', '\nplimsoll token create')),
      /plm_/,
    );

    await machine.type(exampleOf('deploy/README.md', 'plimsoll backup'));
    await machine.type('plimsoll user create ben@example.com');
    const restore = exampleOf('deploy/README.md', 'plimsoll.old');
    const [backup = ''] = readdirSync(join(machine.folder, 'var/backups/plimsoll'));
    await machine.type(restore.replace('DATE.db', backup));
    const users = await machine.type('plimsoll user list');
    assert.match(users, /ana@/);
    assert.doesNotMatch(users, /ben@/);
    assert.ok(existsSync(join(machine.folder, 'var/lib/plimsoll.old/plimsoll.db')));
    assert.match(machine.read('systemctl.log'), /stop plimsoll\nstart plimsoll\n$/);
  });
});

describe('containers', () => {
  const files = {
    'compose.yaml': exampleOf('deploy/README.md', 'cd deploy\n'),
    'cluster/compose.yaml': exampleOf('deploy/README.md', 'cd deploy/cluster'),
  };
  for (const [file, commands] of Object.entries(files)) {
    it(`of ${file} get every secret they need, and a first user`, async (t) => {
      const machine = machineWithContainers(t);
      await machine.type('docker compose exec plimsoll node bin/plimsoll.js migrate --create');
      await machine.type(commands);
      const settings = join('deploy', dirname(file), '.env');
      assert.equal(statSync(join(machine.folder, settings)).mode & 0o777, 0o600);
      const given = [...machine.read(settings).matchAll(/^(\w+)=\S+$/gm)].map(([, name]) => name);
      const asked = [...deployFile(file).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
      assert.deepEqual(given.sort(), [...new Set(asked)].sort());
      assert.match(machine.read('docker.log'), /^compose up -d --build$/m);
      const first = exampleOf('deploy/README.md', 'docker compose exec plimsoll node');
      assert.match(await machine.type(first), /plm_/);
    });
  }
});

/** A container is a folder of data here. */
function machineWithContainers(t: TestContext): Machine {
  const machine = new Machine(t);
  cpSync(DEPLOY, join(machine.folder, 'deploy'), { recursive: true });
  machine.variables.PLIMSOLL_DATA = join(machine.folder, 'data');
  return machine;
}

it('Kubernetes gets the manifests, and a secret with settings that exist', async (t) => {
  const machine = new Machine(t);
  await machine.type(exampleOf('deploy/README.md', 'kubectl apply'));
  const said = machine.read('kubectl.log');
  const names = [...said.matchAll(/^--from-literal=(\w+)=\S+$/gm)].map(([, name = '']) => name);
  const known = knownSettings();
  const [secret] = deployFile('kubernetes/plimsoll.yaml').match(/secretRef: .*$/m) ?? [];
  assert.equal(secret, 'secretRef: { name: plimsoll }');
  // NATS_PASSWORD is what the manifests put into the addresses of NATS.
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    ['NATS_PASSWORD'],
  );
  assert.match(deployFile('kubernetes/nats.yaml'), /name: plimsoll, key: NATS_PASSWORD/);
  const [, folder = ''] = /^apply\n-f\n(.*)$/m.exec(said) ?? [];
  assert.deepEqual(readdirSync(join(ROOT, folder)).sort(), ['nats.yaml', 'plimsoll.yaml']);

  await machine.type(exampleOf('deploy/README.md', 'kubectl scale'));
  const upgraded = machine.read('kubectl.log').slice(said.length);
  const deployment = deployFile('kubernetes/plimsoll.yaml').split(/^---$/m).find(isDeployment);
  const [replicas] = deployment?.match(/(?<=^ {2}replicas: )\d+$/m) ?? [];
  assert.match(deployment ?? '', /- name: plimsoll$/m);
  assert.match(upgraded, /^scale\ndeployment\/plimsoll\n--replicas=0\nset\nimage\n/);
  assert.ok(upgraded.endsWith(`\nscale\ndeployment/plimsoll\n--replicas=${replicas}\n`), upgraded);
});

const isDeployment = (manifest: string): boolean =>
  /^kind: Deployment$/m.test(manifest) && /name: plimsoll\b/.test(manifest);
