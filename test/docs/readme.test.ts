import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { needs } from '../needs.ts';
import { exampleOf, ROOT, requestsOf } from './blocks.ts';
import { commandsOf, recordsOf, Shell } from './shell.ts';

needs('server', 'curl');

type Statement = { reconciliation: { figures: { name: string }[] } } & Record<string, unknown>;

test('README: the demo prints the shown text, and answers its requests', async (t) => {
  const shell = new Shell(t);
  Object.assign(shell.variables, { PORT: '0', PLIMSOLL_DATA: join(shell.folder, 'data') });
  const { said } = await shell.start(exampleOf('README.md', 'npm ci && npm start'), /^Demo token/);
  const alike = said
    .join('\n')
    .replaceAll(/(?<=:)\d{4,5}\b/g, '8787')
    .replaceAll(/plm_[\w-]+/g, 'plm_…');
  assert.equal(`${alike}\n`, exampleOf('README.md', 'Plimsoll listens on'));

  const [, address = ''] = /listens on (\S+)/.exec(said[0] ?? '') ?? [];
  const [, token = ''] = /: (plm_[\w-]+)$/.exec(said.at(-1) ?? '') ?? [];
  shell.variables.TOKEN = token;
  const here = (text: string): string =>
    text
      .replaceAll('http://127.0.0.1:8787', address)
      .replace(/^TOKEN=.*$/m, '')
      .replace('@src/', `@${ROOT}/src/`);
  const [first, second, ...more] = requestsOf('README.md');
  assert.ok(first?.answer && second);
  assert.equal(more.length, 0);
  assert.deepEqual(recordsOf(await shell.run(here(first.text))), recordsOf(first.answer.text));
  const [, statement] = await runEach(shell, here(second.text));
  comparedWithPage(JSON.parse(statement ?? '') as Statement);

  const pdf = await shell.run(
    `printf '%%PDF-1.7' > file; command curl -s -H "auth-token: $TOKEN" ` +
      `-H 'content-type: application/octet-stream' --data-binary @file ` +
      `${address}/users/current/accounts/mine/statements`,
  );
  const shown = exampleOf('docs/statements.md', 'The file cannot be read').replaceAll(
    /\d{16}/g,
    '0',
  );
  assert.match(pdf.replace(/\d{16}/, '0'), abbreviated(shown.replaceAll(/\n */g, '')));
});

/** The outcome of each of the commands of a block. */
async function runEach(shell: Shell, block: string): Promise<string[]> {
  const said: string[] = [];
  for (const command of commandsOf(block)) if (command) said.push(await shell.run(command));
  return said;
}

/** docs/statements.md shows the answer to this file, with two of its figures. */
function comparedWithPage(answer: Statement): void {
  const shown = JSON.parse(exampleOf('docs/statements.md', '"reconciliation"')) as Statement;
  const names = new Set(shown.reconciliation.figures.map(({ name }) => name));
  const figures = answer.reconciliation.figures.filter(({ name }) => names.has(name));
  const { id, importedAt } = shown;
  assert.deepEqual(
    { ...answer, id, importedAt, reconciliation: { ...answer.reconciliation, figures } },
    shown,
  );
}

/** A text with … where something is left out. */
const abbreviated = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
  );
