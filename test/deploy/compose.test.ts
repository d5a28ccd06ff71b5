import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';
import { DEPLOY, deployFile, knownSettings } from './files.ts';

type Service = Record<string, unknown> & { environment: Record<string, string> };

describe('the compose file', () => {
  const { services } = parse(deployFile('compose.yaml')) as { services: Record<string, Service> };

  it('fits the schema of Compose and its linter', () => {
    const rules = { 'service-keys-order': 0 } as const;
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
    const [report] = linter.lintFiles([join(DEPLOY, 'compose.yaml')], false);
    assert.deepEqual(report?.messages, []);
  });

  it('gives every service no more rights and memory than it needs', () => {
    assert.deepEqual(Object.keys(services), ['plimsoll', 'postgres']);
    for (const [name, service] of Object.entries(services)) {
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.ok(service.mem_limit && service.pids_limit, name);
      assert.equal(service.restart, 'unless-stopped', name);
    }
    assert.equal(services.plimsoll?.read_only, true);
    assert.equal(services.plimsoll?.cap_add, undefined);
    assert.deepEqual(services.plimsoll?.ports, ['127.0.0.1:8787:8787'], 'only this machine');
    assert.equal(services.postgres?.ports, undefined);
  });

  it('names settings that exist, and asks for every secret', () => {
    const known = knownSettings();
    const { environment = {} } = services.plimsoll ?? {};
    for (const name of Object.keys(environment)) assert.ok(known.has(name), name);
    for (const secret of ['POSTGRES_PASSWORD', 'PLIMSOLL_ADMIN_TOKEN', 'PLIMSOLL_SECRET_KEY']) {
      assert.match(deployFile('compose.yaml'), new RegExp(`\\$\\{${secret}:\\?`));
    }
  });

  it('leaves every setting of Plimsoll to .env: what stands here would win without a word', () => {
    const { environment = {} } = services.plimsoll ?? {};
    for (const [name, value] of Object.entries(environment))
      if (name !== 'DATABASE_URL')
        assert.match(`${value}`, new RegExp(`^\\$\\{${name}:[-?]`), name);
  });
});
