import type { OpenApiDocument } from '../../contract/openapi/described-operation.ts';
import { parametersOf } from '../../contract/openapi/share-parameters.ts';
import { curlOf } from './curl.ts';
import { firstPage, type Listed } from './first-page.ts';
import { type Html, html, htmlPage } from './html.ts';
import { recordSection, rowsTable, type Schema, typeOf } from './schemas.ts';

type Media = { schema?: Schema; example?: unknown };
type Body = { description?: string; content: Record<string, Media> };
type Answer = { $ref?: string; description?: string; content?: Record<string, Media> };
type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

/** The reference as one page of HTML, from the OpenAPI document. */
export function referencePage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const parameters = parametersOf(document, described);
      return { ...described, method, path, parameters };
    }),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tags }) => tags.includes(tag.name)),
  }));
  const { title, version, description } = document.info;
  const body = html`<header>
<a href="/">${MARK} ${title}</a> <span>API reference, version ${version}</span>
<a href="/docs/guide">guide</a> <a href="/openapi.json">OpenAPI document</a>
</header>
<nav aria-label="Operations"><label hidden>Search <input type="search"></label>
<h2><a href="#start">start here</a></h2>${groups.map(
    ({ name, operations: own }) => html`<h2><a href="#${name}">${name}</a></h2>
<ul>${own.filter(({ deprecated }) => !deprecated).map((each) => html`<li><a href="#${each.operationId}">${each.summary}</a></li>`)}</ul>`,
  )}
<h2><a href="#records">records</a></h2>
</nav>
<main>
<h1>${title} API</h1>
${paragraphs(description)}
${firstPage(document, operations)}
${errorsSection(document)}
${groups.map(
  (group) => html`<h2 id="${group.name}">${group.name}</h2>
<p>${group.description}. <a href="/openapi/${group.name}.json">OpenAPI document</a></p>
${group.operations.map(operationSection)}`,
)}
<h2 id="records">records</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => recordSection(name, schema))}
</main>`;
  return htmlPage(`${title} API reference`, 'search.js', body);
}

const MARK = html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b3a66"/><circle cx="16" cy="16" r="8" fill="none" stroke="#fff" stroke-width="2.5"/><path d="M4 16h24" stroke="#fff" stroke-width="2.5"/></svg>`;

/** Paragraphs, and words in backquotes as code. */
const paragraphs = (text: string): Html =>
  html`${text
    .split('\n\n')
    .map(
      (paragraph) =>
        html`<p>${paragraph.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`,
    )}`;

const errorsSection = ({ components }: OpenApiDocument): Html => html`<h2 id="errors">errors</h2>
<p>Every status of 400 and above has a record of its own.</p>
<table><tbody>${Object.entries(components.responses).map(
  ([name, answer]) =>
    html`<tr><th scope="row">${typeOf({ $ref: name })}</th><td>${(answer as Answer).description}</td></tr>`,
)}</tbody></table>`;

function operationSection(operation: Listed): Html {
  const { operationId, summary, method, path, description, deprecated, servers } = operation;
  const parameters = operation.parameters as Parameter[];
  const body = operation.requestBody as Body | undefined;
  const places = [...new Set(parameters.map((parameter) => parameter.in))];
  return html`<section id="${operationId}">
<h3>${summary}${deprecated === true && html` <small>for old clients</small>`}</h3>
<p class="path"><b class="${method}">${method.toUpperCase()}</b> <code>${servers?.[0]?.url}${path}</code></p>
${paragraphs(description)}
<pre tabindex="0">${curlOf(operation)}</pre>
${places.map((place) => html`<h4>${PLACES[place]}</h4>${parametersTable(parameters, place)}`)}
${body && html`<h4>Body</h4>${body.description !== undefined && html`<p>${body.description}</p>`}${media(body.content)}`}
<h4>Answers</h4>
${answersOf(operation.responses)}
</section>`;
}

const PLACES: Record<string, string> = { path: 'Path', query: 'Query', header: 'Headers' };

const parametersTable = (parameters: readonly Parameter[], place: string): Html =>
  rowsTable(
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ required, ...parameter }) => ({ ...parameter, isRequired: required })),
  );

function answersOf(answers: Record<string, Answer>): Html {
  const own = Object.entries(answers).filter(([, { $ref }]) => $ref === undefined);
  const errors = Object.entries(answers).filter(([, { $ref }]) => $ref !== undefined);
  return html`${own.map(
    ([status, { description, content }]) =>
      html`<p><b>${status}</b> ${description}</p>${content && media(content)}`,
  )}
<p class="error">${errors.map(([status, { $ref }]) => html`<b>${status}</b> <a href="#errors">${$ref?.split('/').at(-1)}</a> `)}</p>`;
}

const media = (content: Record<string, Media>): Html =>
  html`${Object.entries(content).map(
    ([type, { schema, example }]) => html`<p><code>${type}</code> ${schema && typeOf(schema)}</p>
${example !== undefined && html`<pre tabindex="0">${textOf(example)}</pre>`}`,
  )}`;

const textOf = (example: unknown): string =>
  typeof example === 'string' ? example : JSON.stringify(example, undefined, 2);
