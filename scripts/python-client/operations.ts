import type {
  DescribedOperation,
  Json,
  OpenApiDocument,
} from '../../src/contract/openapi/described-operation.ts';
import { annotation, argumentOf, docOf, literal, nameOf } from './records.ts';

type Parameter = { name: string; in: string; required?: boolean; schema: Json };
type Argument = { name: string; type: string; required: boolean };

/** How the pages of a list follow one another; see `Paging` in the client. */
type Paging = { item: string; code: string; without: Set<string> };

export type Operation = {
  name: string;
  path: string;
  method: string;
  described: DescribedOperation;
  parameters: Parameter[];
  body: { type: string; media: string; required: boolean } | undefined;
  /** The type of the answer; undefined where it is a stream. */
  answer: string | undefined;
  paging: Paging | undefined;
};

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const parameters = (described.parameters ?? []).map((each) => {
        const name = nameOf(each);
        return (name ? document.components.parameters[name] : each) as Parameter;
      });
      const content = successOf(described);
      return {
        ...{ name: argumentOf(described.operationId), path, method, described, parameters },
        body: bodyOf(described),
        answer: 'text/event-stream' in content ? undefined : answerOf(described, content),
        paging: pagingOf(document, described, parameters),
      };
    }),
  );
}

type Content = Record<string, { schema: Json }>;

function successOf({ responses }: DescribedOperation): Content {
  const success = responses['200'] ?? responses['201'] ?? {};
  return (success.content ?? {}) as Content;
}

/** None, too, where a success may have no body. */
function answerOf({ responses }: DescribedOperation, content: Content): string {
  const types = Object.values(content)
    .slice(0, 1)
    .map(({ schema }) => annotation(schema));
  return [...types, ...('204' in responses ? ['None'] : [])].join(' | ');
}

function bodyOf({ requestBody }: DescribedOperation): Operation['body'] {
  if (!requestBody) return undefined;
  const [media = '', { schema } = { schema: {} }] =
    Object.entries(requestBody.content as Content)[0] ?? [];
  return { type: annotation(schema), media, required: requestBody.required === true };
}

/** A list names its next page in the header `link` or in `next`, or else is counted on. */
function pagingOf(
  { components }: OpenApiDocument,
  described: DescribedOperation,
  parameters: Parameter[],
): Paging | undefined {
  const limit = parameters.find(({ name }) => name === 'limit')?.schema.maximum;
  const [answer] = Object.values(successOf(described));
  if (!limit || !answer) return undefined;
  const at = (name: string) => parameters.some((each) => each.name === name);
  const cursor = ['offset', 'before', 'after'].find(at);
  const isLinked = 'link' in ((described.responses['200']?.headers ?? {}) as Json);
  const properties = (components.schemas[nameOf(answer.schema) ?? '']?.properties ?? {}) as Record<
    string,
    Json
  >;
  const [items] = Object.entries(properties).filter(([, { type }]) => type === 'array');
  const list = items?.[1] ?? answer.schema;
  if (!cursor || list.type !== 'array') return undefined;
  const by = isLinked ? 'link' : 'next' in properties ? 'next' : 'offset';
  const field = items ? literal(items[0]) : 'None';
  const code = `Paging(${literal(by)}, ${limit}, ${literal(cursor)}, ${field})`;
  return { item: annotation(list.items as Json), code, without: new Set(['limit', cursor]) };
}

/** The call that an operation makes of its arguments. */
function callOf(operation: Operation, without: ReadonlySet<string>): string {
  const { method, path, parameters, body, answer = 'None' } = operation;
  const given = (place: string): string =>
    `{${parameters
      .filter((each) => each.in === place && !without.has(each.name))
      .map(({ name }) => `${literal(name)}: ${argumentOf(name)}`)
      .join(', ')}}`;
  const parts = [
    ...[literal(method.toUpperCase()), literal(path), given('path'), given('query')],
    given('header'),
    ...(body ? ['body=body', `media=${literal(body.media)}`] : []),
    'timeout_seconds=timeout_seconds',
  ];
  return `Call[${answer}](${parts.join(', ')})`;
}

/** Required ones by place; the others, and how long it may take, by name. */
function signatureOf({ parameters, body }: Operation, without: ReadonlySet<string>): string {
  const all: Argument[] = parameters
    .filter(({ name }) => !without.has(name))
    .map(({ name, required = false, schema }) => {
      return { name: argumentOf(name), type: annotation(schema), required };
    });
  if (body) all.push({ name: 'body', type: body.type, required: body.required });
  const required = all.filter((each) => each.required);
  const others = all.filter((each) => !each.required);
  return [
    ...['self', ...required.map(({ name, type }) => `${name}: ${type}`), '*'],
    ...others.map(({ name, type }) => `${name}: ${type} | None = None`),
    'timeout_seconds: float | None = None',
  ].join(', ');
}

const NOTHING: ReadonlySet<string> = new Set();

/** The method of an operation, of the client that waits or of the one that is awaited. */
export function methodOf(operation: Operation, isAsync: boolean): string {
  const { name, answer, path, method, described } = operation;
  const { summary, deprecated } = described;
  const isStream = answer === undefined;
  const returns = answer ?? `${isAsync ? 'AsyncIterator' : 'Iterator'}[Message]`;
  const word = isAsync && !isStream ? 'async def' : 'def';
  const send = isStream ? 'self._messages' : isAsync ? 'await self._answer' : 'self._answer';
  const doc = `${deprecated ? 'Deprecated. ' : ''}${summary}. ${method.toUpperCase()} ${path}`;
  return `    ${word} ${name}(${signatureOf(operation, NOTHING)}) -> ${returns}:
${docOf(doc, '        ')}        return ${send}(${callOf(operation, NOTHING)})
`;
}

/** The method of a list that goes on from page to page; undefined for other operations. */
export function listOf(operation: Operation, isAsync: boolean): string | undefined {
  const { name, paging, described } = operation;
  if (!paging) return undefined;
  const { item, code, without } = paging;
  const returns = `${isAsync ? 'AsyncIterator' : 'Iterator'}[${item}]`;
  return `    def ${name}(${signatureOf(operation, without)}) -> ${returns}:
${docOf(`${described.summary}, page by page`, '        ')}        return self._items(${callOf(operation, without)}, ${code})
`;
}
