import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openApiDocument } from '../../src/contract/openapi/document.ts';
import { exampleOf, ROOT } from '../docs/blocks.ts';
import { needs, PROGRAMS } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('server', 'client', 'python', 'mypy');

const WAITING = exampleOf('clients/python/README.md', 'follow_events("drawdown"');
const EVERYTHING = exampleOf('clients/python/README.md', 'NotFoundError');
const AWAITED = exampleOf('clients/python/README.md', 'asyncio.run');
const GUIDE = exampleOf('docs/guide.md', 'plimsoll.follow_events(');
const STANDING = exampleOf('docs/guide.md', 'plimsoll.follow_standing(');
const SOURCES = join(ROOT, 'clients/python/src');
const TESTS = join(ROOT, 'test/clients/python');
const PYTHON = PROGRAMS.python.find() ?? 'python3';

/** A mistake in each line from the third on. */
const WRONG = `from plimsoll_client import connect
plimsoll = connect("http://127.0.0.1", "token")
plimsoll.api.read_account(1)
plimsoll.api.create_tracker("id", {"name": "daily", "period": "never"})
plimsoll.api.read_account("id")["logn"]
next(plimsoll.follow_events("drawdown"))["absoluteDrowdown"]
plimsoll.follow_events("drawdown", afer=1)
`;

type Program = { output: () => string; exited: Promise<number | null>; end: () => void };

function start(command: string, args: string[], environment: NodeJS.ProcessEnv): Program {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      ...environment,
    },
  });
  endWithUs(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (some: string) => {
      output += some;
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { output: () => output, exited, end: () => child.kill() };
}

async function run(command: string, args: string[], environment: NodeJS.ProcessEnv = {}) {
  const program = start(command, args, environment);
  assert.equal(await program.exited, 0, program.output());
  return program.output();
}

describe('the Python client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-python-'));
  const document = join(folder, 'openapi.json');
  let running: TestServer;
  let user: Client;
  before(async () => {
    const settings = { version: '1.2.3', publicUrl: '', addresses: {} };
    writeFileSync(document, JSON.stringify(openApiDocument(settings)));
    running = await startOn('sqlite', { LOG_LEVEL: 'warn' });
    user = await newUser(running.server.address);
  });
  after(async () => {
    await running.close();
    rmSync(folder, { recursive: true });
  });

  const environment = () => ({ PLIMSOLL_URL: user.address, PLIMSOLL_TOKEN: user.token });

  for (const file of globSync('test_*.py', { cwd: TESTS })) {
    it(`keeps the promises of ${basename(file, '.py').replace('test_', '')}`, async () => {
      await run(PYTHON, ['-m', 'unittest', '--verbose', basename(file, '.py')], {
        ...environment(),
        PYTHONPATH: `${SOURCES}:${TESTS}`,
        PLIMSOLL_DOCUMENT: document,
      });
    });
  }

  it('has types that a strict checker accepts, and that find what is wrong', async () => {
    const check = (...files: string[]): Program =>
      start(
        PROGRAMS.mypy.find() ?? 'mypy',
        [
          ...['--strict', '--no-error-summary', '--cache-dir', join(folder, 'mypy')],
          ...['--enable-incomplete-feature=Unpack', ...files],
        ],
        { MYPYPATH: SOURCES },
      );
    const examples = [WAITING, EVERYTHING, AWAITED, GUIDE, STANDING].map((code, place) => {
      const file = join(folder, `example${place}.py`);
      writeFileSync(file, code);
      return file;
    });
    const backend = join(ROOT, 'clients/python/wheel_backend.py');
    const right = check(join(SOURCES, 'plimsoll_client'), backend, ...examples);
    assert.equal(await right.exited, 0, right.output());
    const wrong = join(folder, 'wrong.py');
    writeFileSync(wrong, WRONG);
    const checked = check(wrong);
    await checked.exited;
    const found = [...checked.output().matchAll(/wrong\.py:(\d+): error/g)].map(([, line]) => line);
    assert.deepEqual([...new Set(found)], ['3', '4', '5', '6', '7'], checked.output());
  });

  it('runs the examples of its README in an empty environment with its wheel', async (t) => {
    const id = await newAccount(user);
    const tracker = { name: 'daily', period: 'date', absoluteDrawdownThreshold: 1 };
    await user.post(`/users/current/accounts/${id}/trackers`, tracker);
    const row = { accountId: id, brokerTime: '2026-03-01 10:00:00', balance: 100, equity: 50 };
    await user.post('/users/current/snapshots', [row]);

    await run(PYTHON, ['-m', 'venv', join(folder, 'empty')]);
    const python = join(folder, 'empty/bin/python3');
    const commands = exampleOf('clients/python/README.md', 'pip wheel')
      .replaceAll('python3', python)
      .replace('--wheel-dir .', `--wheel-dir ${folder}`)
      .replace('plimsoll_client-', `${folder}/plimsoll_client-`);
    await run('sh', ['-ec', commands]);
    const files = await run(python, ['-m', 'pip', 'list', '--format', 'freeze']);
    assert.match(files, /^plimsoll-client==0\.1\.0$/m);

    const told = async (code: string, expected: RegExp): Promise<void> => {
      const program = start(python, ['-c', code], environment());
      t.after(program.end);
      const ended = program.exited.then(() => true);
      await until(() => expected.test(program.output()), String(expected));
      program.end();
      await ended;
    };
    await told(WAITING, new RegExp(`^\\d+: ${id} lost 50$`, 'm'));
    await told(AWAITED, new RegExp(`^\\['main'\\]: ${id} lost 50$`, 'm'));
    await told(GUIDE, new RegExp(`^${id} lost 50 at 2026-03-01 10:00:00\\.000$`, 'm'));
    await told(STANDING, /^[1-9]\d* accounts are followed$/m);
    const all = await run(python, ['-c', EVERYTHING], environment());
    assert.match(all, new RegExp(`^${id} 0\\.00 USD$`, 'm'));
    assert.match(all, /^404 NotFoundError: Account not found$/m);
  });
});
