/** Text that already is HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | undefined | false | readonly Content[];

/** HTML in which all inserted values are escaped, unless they are HTML. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html =>
  new Html(String.raw({ raw: strings }, ...values.map(write)));

function write(value: Content): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === false) return '';
  if (typeof value === 'object') return value.map(write).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? '');
}

const ESCAPED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
