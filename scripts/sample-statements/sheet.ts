/** A row of a report before it is written as html or xlsx: cells by logical column. */
export type SheetCell = {
  column: number;
  span?: number;
  /** Workbooks keep numbers unrounded; text is what pages show. */
  value?: number;
  text: string;
  bold?: boolean;
  /** Pages carry some cells that they don't show. */
  hidden?: boolean;
};
export type SheetRow = { cells: SheetCell[]; heading?: boolean };

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function htmlTable(rows: readonly SheetRow[]): string {
  return rows
    .map(({ cells, heading }) => {
      let column = 0;
      const written: string[] = [];
      for (const cell of cells) {
        if (!cell.hidden && cell.column > column)
          written.push(`<td colspan="${cell.column - column}"></td>`);
        const span = cell.span && cell.span > 1 ? ` colspan="${cell.span}"` : '';
        const text = escapeText(cell.text).replaceAll('\u00a0', '&nbsp;');
        const shown = cell.bold ? `<b>${text}</b>` : text;
        written.push(`<td${cell.hidden ? ' class="hidden"' : ''}${span}>${shown}</td>`);
        if (!cell.hidden) column = cell.column + (cell.span ?? 1);
      }
      return `<tr align="${heading ? 'center' : 'right'}">${written.join('')}</tr>`;
    })
    .join('\n');
}

const letterOf = (column: number) => String.fromCharCode(65 + column);

/** The entries of a workbook with one sheet. */
export function workbookFiles(rows: readonly SheetRow[]): Record<string, string> {
  const texts = new Map<string, number>();
  const indexOf = (text: string): number => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, texts.size);
    return texts.size - 1;
  };
  const body = rows.map(({ cells }, index) => {
    const line = index + 1;
    const written = cells
      .filter((cell) => !cell.hidden)
      .map((cell) => {
        const reference = `${letterOf(cell.column)}${line}`;
        if (cell.value !== undefined)
          return `<c r="${reference}"><v>${Number(cell.value.toFixed(6))}</v></c>`;
        if (cell.text === '') return `<c r="${reference}"/>`;
        return `<c r="${reference}" t="s"><v>${indexOf(cell.text)}</v></c>`;
      });
    return `<row r="${line}">${written.join('')}</row>`;
  });
  const head = '<?xml version="1.0"?>\n';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const strings = [...texts.keys()].map((text) => `<si><t>${escapeText(text)}</t></si>`).join('');
  return {
    '[Content_Types].xml':
      `${head}<Types xmlns="${packages}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/>` +
      `<Override PartName="/xl/sharedStrings.xml" ContentType="${sheetType}.sharedStrings+xml"/>` +
      '</Types>',
    '_rels/.rels':
      `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" ` +
      `Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
      '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `${head}<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/>` +
      '</Relationships>',
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${body.join('\n')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${strings}</sst>`,
  };
}

/** The texts of a row at their columns, as a workbook holds them. */
export const plainCells = ({ cells }: SheetRow): string[] => {
  const texts: string[] = [];
  for (const { column, text, value, hidden } of cells)
    if (!hidden) texts[column] = value === undefined ? text : String(Number(value.toFixed(6)));
  return Array.from(texts, (text) => text ?? '');
};

/** The entries of a workbook of several sheets, whose texts stand in their cells. */
export const plainWorkbookFiles = (
  sheets: readonly (readonly (readonly (string | number)[])[])[],
): Record<string, string> =>
  Object.fromEntries(
    sheets.map((rows, number) => [
      `xl/worksheets/sheet${number + 1}.xml`,
      `<worksheet><sheetData>${rows.map(plainRow).join('')}</sheetData></worksheet>`,
    ]),
  );

const plainRow = (cells: readonly (string | number)[], index: number): string => {
  const written = cells.map((cell) =>
    typeof cell === 'number'
      ? `<c><v>${cell}</v></c>`
      : `<c t="inlineStr"><is><t>${escapeText(cell)}</t></is></c>`,
  );
  return `<row r="${index + 1}">${written.join('')}</row>`;
};
