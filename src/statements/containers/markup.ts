import { Tokenizer } from 'htmlparser2';
import { ATTRIBUTES_MAX, CELL_TEXT_MAX } from '../limits.ts';

export type MarkupSink = {
  open(name: string, attribute: (name: string) => string | undefined, index: number): void;
  close(name: string): void;
  text(text: string): void;
};

const nothing = () => {};

/**
 * Tokenizes html or xml piece by piece. It keeps no stack of open tags, so that unclosed ones cost
 * nothing; tags come as written. Entities are decoded. Names of html tags come in lower case.
 */
export function createMarkup(sink: MarkupSink, options: { isXml: boolean }) {
  const { isXml } = options;
  let before = '';
  let chunk = '';
  /** Where `before` begins in the whole text. */
  let base = 0;
  let name = '';
  let opened = 0;
  let attributes: [name: string, value: string][] = [];

  // A name may begin in the chunk before; no reasonable one begins earlier.
  const slice = (start: number, end: number): string => {
    const from = start - base;
    if (from >= before.length) return chunk.slice(from - before.length, end - base - before.length);
    return from < 0 ? '' : before.slice(from) + chunk.slice(0, end - base - before.length);
  };
  const cased = (text: string) => (isXml ? text : text.toLowerCase());
  const attribute = (wanted: string) => attributes.find(([known]) => known === wanted)?.[1];
  const append = (text: string) => {
    const last = attributes.at(-1);
    if (last && last[1].length < CELL_TEXT_MAX) last[1] += text.slice(0, CELL_TEXT_MAX);
  };
  const open = () => sink.open(name, attribute, opened);

  const tokenizer = new Tokenizer(
    { xmlMode: isXml, decodeEntities: true },
    {
      onopentagname(start, end) {
        name = cased(slice(start, end));
        opened = start;
        attributes = [];
      },
      onattribname(start, end) {
        if (attributes.length < ATTRIBUTES_MAX) attributes.push([cased(slice(start, end)), '']);
      },
      onattribdata: (start, end) => append(slice(start, end)),
      onattribentity: (code) => append(String.fromCodePoint(code)),
      onopentagend: open,
      onselfclosingtag() {
        open();
        if (isXml) sink.close(name);
      },
      onclosetag: (start, end) => sink.close(cased(slice(start, end))),
      ontext: (start, end) => sink.text(slice(start, end)),
      ontextentity: (code) => sink.text(String.fromCodePoint(code)),
      oncdata: (start, end, endOffset) => {
        if (isXml) sink.text(slice(start, end - endOffset));
      },
      onattribend: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  return {
    write(text: string): void {
      base += before.length;
      before = chunk;
      chunk = text;
      tokenizer.write(text);
    },
    end: () => tokenizer.end(),
  };
}
