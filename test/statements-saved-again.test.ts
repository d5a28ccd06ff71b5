import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { JOURNALS, journalCsv, journalTrades } from '../scripts/sample-statements/journals.ts';
import { p4StatementPage } from '../scripts/sample-statements/p4-statement.ts';
import { p5HistoryPage } from '../scripts/sample-statements/p5-report.ts';
import { p5TesterPage } from '../scripts/sample-statements/p5-tester.ts';
import {
  hedgingSample,
  P4_ACCOUNT,
  P5_ACCOUNT,
  p4Sample,
} from '../scripts/sample-statements/samples.ts';
import { readStatement } from '../src/statements/read-statement.ts';
import { needs } from './needs.ts';

needs('time');

/** LibreOffice's spreadsheet, where it is installed: reports are often opened in one and saved. */
const isHere = spawnSync('soffice', ['--version']).status === 0;
const FORMATS = { xlsx: 'xlsx', ods: 'ods', csv: 'csv', html: 'html:HTML (StarCalc)' };
const SAVING_MS = 300_000;

const sample = hedgingSample();
const tested = { ...sample, operations: sample.operations.slice(0, 1) };
const { Exness: journal } = JOURNALS;
assert.ok(journal);
const FILES: Record<string, Uint8Array | string> = {
  'p4-statement.html': p4StatementPage(p4Sample(), P4_ACCOUNT),
  'p5-history.html': p5HistoryPage(sample, P5_ACCOUNT),
  'p5-tester.html': p5TesterPage(tested, P5_ACCOUNT),
  'journal.csv': journalCsv(journal, journalTrades(sample).slice(0, 40)),
};

/** The content of an account: its deals, the report's own facts, and its figures. */
const accountOf = async (file: Uint8Array) => {
  const { kind, deals, stated, openPositions } = await readStatement(file, { moneyDigits: 4 });
  return {
    kind,
    ...{ login: stated.login, currency: stated.currency, leverage: stated.leverage },
    ...{ balance: stated.balance, open: openPositions.length },
    figures: Object.keys(stated.figures).sort(),
    // A spreadsheet keeps neither titles of cells, where p4 has comments, nor fractions of seconds.
    deals: deals.map(({ digits: _, comment: __, ...deal }) => ({
      ...deal,
      timeMs: Math.floor(deal.timeMs / 1000),
    })),
  };
};

describe('a report saved again by a spreadsheet', { skip: !isHere && 'it is not here' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'saved-again-'));
  before(() => {
    for (const [name, file] of Object.entries(FILES)) writeFileSync(join(folder, name), file);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [name, original] of Object.entries(FILES))
    for (const [format, filter] of Object.entries(FORMATS))
      it(`${name} as ${format} is the same account`, async () => {
        const to = join(folder, `${name}-${format}`);
        const isPage = name.endsWith('.html');
        const args = [
          ...['--headless', `-env:UserInstallation=file://${join(folder, 'profile')}`],
          ...(isPage ? ['--infilter=HTML (StarCalc)'] : []),
          ...['--convert-to', filter, '--outdir', to, join(folder, name)],
        ];
        execFileSync('soffice', args, { stdio: 'ignore', timeout: SAVING_MS });
        const saved = readFileSync(join(to, name.replace(/\w+$/, format)));
        assert.deepEqual(await accountOf(saved), await accountOf(Buffer.from(original)));
      });
});
