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

/** A page with our styles and one script of ours; `body` is all that is shown. */
export const htmlPage = (title: Content, script: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/${script}"></script>
</head>
<body>
${body}
</body>
</html>`.text;
