import type { DescribedOperation, OpenApiDocument } from './described-operation.ts';

type Json = Record<string, unknown>;

/**
 * Writes parameters that several operations share once, and refers to them by name. Different ones
 * with equal names get numbers. Changes the operations, returns the parameters by name.
 */
export function shareParameters(
  paths: Record<string, Record<string, DescribedOperation>>,
): Record<string, Json> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const uses = Map.groupBy(
    operations.flatMap(({ parameters = [] }) => parameters),
    keyOf,
  );
  const shared: Record<string, Json> = {};
  const references = new Map<string, Json>();
  for (const [text, [first, ...more]] of uses) {
    if (!first || more.length === 0) continue;
    const parameter = more.find(({ example }) => example !== undefined) ?? first;
    const name = freeName(String(parameter.name), shared);
    shared[name] = parameter;
    references.set(text, { $ref: `#/components/parameters/${name}` });
  }
  for (const operation of operations) {
    operation.parameters &&= operation.parameters.map(
      (parameter) => references.get(keyOf(parameter)) ?? parameter,
    );
  }
  return shared;
}

/** Parameters that differ only in their examples are one. */
const keyOf = ({ example: _, ...parameter }: Json): string => JSON.stringify(parameter);

/** The name, with a number if needed. */
function freeName(name: string, taken: Record<string, Json>): string {
  if (!(name in taken)) return name;
  for (let number = 2; ; number += 1) {
    if (!(`${name}${number}` in taken)) return `${name}${number}`;
  }
}

/** The parameters of an operation, including shared ones. */
export const parametersOf = (
  { components }: OpenApiDocument,
  { parameters = [] }: DescribedOperation,
): Json[] =>
  parameters.map(({ $ref, ...parameter }) => {
    const name = String($ref).split('/').at(-1) ?? '';
    return $ref === undefined ? parameter : (components.parameters[name] ?? {});
  });
