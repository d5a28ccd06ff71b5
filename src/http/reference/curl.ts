import type { DescribedOperation } from '../../contract/openapi/described-operation.ts';

type Parameter = { name: string; in: string; required?: boolean; example?: unknown };
type Body = { content: Record<string, { example?: unknown }> };
export type Call = Pick<DescribedOperation, 'security' | 'responses' | 'requestBody'> & {
  method: string;
  path: string;
  parameters: readonly object[];
};

/** An operation's example as a shell command that uses `$BASE` and `$TOKEN`. */
export function curlOf({ method, path, parameters, ...rest }: Call): string {
  const given = (parameters as Parameter[]).filter(({ example }) => example !== undefined);
  const placed = (place: string) =>
    given
      .filter((parameter) => parameter.in === place)
      .map(({ name, example }) => [name, String(example)] as const);
  const paths = new Map(placed('path'));
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(paths.get(name) ?? name),
  );
  const query = new URLSearchParams(placed('query').map(([name, value]) => [name, value]));
  const search = query.size > 0 ? `?${query}` : '';
  const body = bodyOf(rest.requestBody as Body | undefined);
  const implied = body.length > 0 ? 'post' : 'get';
  return [
    `curl${isStream(rest.responses) ? ' -N' : ''}${method === implied ? '' : ` -X ${method.toUpperCase()}`} "$BASE${place}${search}"`,
    ...(rest.security?.length === 0 ? [] : ['-H "auth-token: $TOKEN"']),
    ...placed('header').map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...body,
  ].join(' \\\n  ');
}

function bodyOf(body: Body | undefined): string[] {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined) return [];
  const data =
    type === 'application/json'
      ? `-d ${quoted(JSON.stringify(media?.example ?? {}))}`
      : '--data-binary @report.html';
  return [`-H 'content-type: ${type}'`, data];
}

const isStream = (answers: DescribedOperation['responses']): boolean =>
  Object.values(answers).some(
    ({ content }) => content && 'text/event-stream' in (content as object),
  );

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
