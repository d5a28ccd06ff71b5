import { readFileSync } from 'node:fs';
import { zipOf } from '../../scripts/sample-statements/zip.ts';
import type { WorstBody } from './worst-bodies.ts';

const SAMPLE = new URL('../../src/demo/statements/p4-statement.htm', import.meta.url);
const FILE_TYPE = 'application/octet-stream';
const BYTES = 300_000;
/** Enough of a report that its reader goes on. */
const HEAD_BYTES = 3000;

const repeated = (part: string, bytes = BYTES): string =>
  part.repeat(Math.floor(bytes / part.length));

const WORKBOOK = {
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  'xl/workbook.xml':
    '<workbook><sheets><sheet name="Report" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
};

/** A workbook with only this sheet; packed it is a thousandth of it. */
const workbook = (sheet: string): Buffer =>
  zipOf({ ...WORKBOOK, 'xl/worksheets/sheet1.xml': sheet });

/** Files that are small, but much work for a careless reader. */
export function worstFiles(): WorstBody[] {
  const file = (what: string, make: () => string | Buffer): WorstBody => ({
    what,
    type: FILE_TYPE,
    make: () => Buffer.from(make()),
  });
  const start = readFileSync(SAMPLE).subarray(0, HEAD_BYTES).toString('latin1');
  const head = start.slice(0, start.lastIndexOf('</tr>') + 5);
  const report = (part: string): string => `${head}${part}</table></body></html>`;
  const unclosed = [
    '<b>',
    '<b></i>',
    '<div></td>',
    '<td>',
    '<tr>',
    '<table>',
    '<p>',
    '<a href="',
    '<!--',
    '<x',
    '</b>',
  ];
  return [
    ...unclosed.map((tag) =>
      file(`a report that goes on with ${tag}`, () => report(repeated(tag))),
    ),
    file('a report of one long row', () => report(`<tr>${repeated('<td>1</td>')}`)),
    file('a report of one long cell', () => report(`<tr><td>${repeated('x')}`)),
    file('a workbook of unclosed cells', () =>
      workbook(`<worksheet><sheetData>${repeated('<c>')}`),
    ),
    file('a workbook of unclosed rows', () =>
      workbook(`<worksheet><sheetData>${repeated('<row>')}`),
    ),
    file('a workbook of long columns', () =>
      workbook(`<worksheet><sheetData><row>${repeated('<c r="ZZZZ1"><v>1</v></c>')}</row>`),
    ),
    ...['{"deals":[', '[{"id":', '[', '"', '\n', '[\n\n', 'a,', ';', '\0', '\ufeff'].map((part) =>
      file(`a file of ${JSON.stringify(part)}`, () => repeated(part)),
    ),
    file('deals that never end', () => `[${repeated('{"id":"1","a":[],')}`),
    file('a csv of quotes', () => `time,type,profit\n${repeated('"')}`),
  ];
}
