import { readdirSync, readFileSync } from 'node:fs';
import type { Tokens } from 'marked';
import { Html, html, htmlPage } from './html.ts';

/** The documents of the package, beside the code. */
const FOLDER = new URL('../../../docs/', import.meta.url);

/** Names of the documents: `guide` is served at /docs/guide. */
export const documentNames = (): string[] =>
  readdirSync(FOLDER).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));

/** A document of ours as a page. Its samples get the reader's own server and token. */
export async function documentPage(name: string): Promise<string> {
  const text = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  const names = documentNames();
  const body = html`<header>
<a href="/">Plimsoll</a> <span>${title}</span>
<a href="/docs">API reference</a>
</header>
<nav aria-label="Documents">
<label hidden>Your token, for the samples <input type="password" autocomplete="off"></label>
<ul>${names.map((each) => html`<li><a href="/docs/${each}">${each}</a></li>`)}</ul>
</nav>
<main>
${new Html(await contentOf(text))}
</main>`;
  return htmlPage(`${title} · Plimsoll`, 'guide.js', body);
}

async function contentOf(text: string): Promise<string> {
  // Most servers never show one.
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }: Tokens.Heading): string {
        return `<h${depth} id="${anchorOf(words)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const words = new Html(this.parser.parseInline(tokens));
        return href.startsWith('../')
          ? words.text
          : html`<a href="${addressOf(href)}">${words}</a>`.text;
      },
      image: ({ text: words }: Tokens.Image): string => html`<em>${words}</em>`.text,
    },
  });
  return marked.parse(text, { async: false });
}

/** The anchor of a heading, as links in the documents name it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Documents link to each other as files; files outside of their folder are not served. */
const addressOf = (href: string): string =>
  href.replace(/^(?:\.\/)?([\w-]+)\.md(?=#|$)/, '/docs/$1');
