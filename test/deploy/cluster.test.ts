import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { DCLinter } from 'dclint';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { exampleOf } from '../docs/blocks.ts';
import { needs } from '../needs.ts';
import { DEPLOY, deployFile, knownSettings } from './files.ts';

needs('nats');

const run = promisify(execFile);

type ComposeService = Record<string, unknown> & { environment?: Record<string, string> };
type Manifest = { kind: string; metadata: { name: string } } & Record<string, unknown>;
type Pod = { containers: { env?: { name: string }[] }[] };

const MODELS: Record<string, new (data: never) => { validate(): void }> = {
  ConfigMap,
  Deployment,
  PodDisruptionBudget,
  Service,
  StatefulSet,
};
const SECRETS = [
  'POSTGRES_PASSWORD',
  'NATS_PASSWORD',
  'PLIMSOLL_ADMIN_TOKEN',
  'PLIMSOLL_SECRET_KEY',
];

describe('the compose file of a cluster', () => {
  const file = 'cluster/compose.yaml';
  const { services } = parse(deployFile(file), { merge: true }) as {
    services: Record<string, ComposeService>;
  };

  it('fits the schema of Compose and its linter', () => {
    const rules = {
      'service-keys-order': 0,
      'services-alphabetical-order': 0,
      'top-level-properties-order': 0,
    } as const;
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
    const [report] = linter.lintFiles([join(DEPLOY, file)], false);
    assert.deepEqual(report?.messages, []);
  });

  it('gives every service no more rights and memory than it needs', () => {
    assert.equal(Object.keys(services).length, 8);
    for (const [name, service] of Object.entries(services)) {
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.ok(service.mem_limit && service.pids_limit, name);
      const ports = name === 'proxy' ? ['127.0.0.1:8787:8080'] : undefined;
      assert.deepEqual(service.ports, ports, 'only this machine reaches only the proxy');
    }
  });

  it('names settings that exist, and asks for every secret', () => {
    const known = knownSettings();
    for (const name of Object.keys(services['plimsoll-1']?.environment ?? {})) {
      assert.ok(known.has(name), name);
    }
    for (const secret of SECRETS) {
      assert.match(deployFile(file), new RegExp(`\\$\\{${secret}:\\?`));
    }
  });
});

describe('the manifests of Kubernetes', () => {
  const manifests = ['plimsoll', 'nats'].flatMap((name) =>
    parseAllDocuments(deployFile(`kubernetes/${name}.yaml`)).map(
      (document) => document.toJS() as Manifest,
    ),
  );

  it('fit the schemas of Kubernetes', () => {
    assert.equal(manifests.length, 7);
    for (const manifest of manifests) {
      const Model = MODELS[manifest.kind];
      assert.ok(Model, manifest.kind);
      assert.doesNotThrow(() => new Model(manifest as never).validate(), manifest.metadata.name);
    }
  });

  it('name settings that exist', () => {
    const known = knownSettings();
    const { spec } = manifests.find(({ kind }) => kind === 'Deployment') as Manifest & {
      spec: { template: { spec: Pod } };
    };
    const names = spec.template.spec.containers.flatMap(({ env = [] }) => env);
    assert.ok(names.length > 0);
    for (const { name } of names) assert.ok(known.has(name), name);
  });
});

describe('the settings of NATS', async () => {
  const server = await findNatsServer();
  const skip = 'missing' in server ? server.missing : false;
  const map = parseAllDocuments(deployFile('kubernetes/nats.yaml'))[0]?.toJS() as {
    data: Record<string, string>;
  };
  const texts = {
    'of the compose file': deployFile('cluster/nats.conf'),
    'of Kubernetes': map.data['nats.conf'] ?? '',
    'of docs/scaling.md': exampleOf('docs/scaling.md', 'jetstream {'),
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`${name} are accepted by a server, and write to disk first`, { skip }, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'plimsoll-nats-conf-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const file = join(folder, 'nats.conf');
      await writeFile(file, text);
      assert.ok('path' in server);
      const env = { NATS_NAME: 'n', POD_NAME: 'n', NATS_PASSWORD: 'secret' };
      const { stderr } = await run(server.path, ['-c', file, '-t'], { env });
      assert.match(stderr, /configuration file .* is valid/);
      assert.match(text, /sync_interval: always/);
    });
  }
});
