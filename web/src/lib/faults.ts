import { ApiError } from './api.ts';

/** The checks of a schema speak of characters and patterns; people do not. */
const PLAIN: [RegExp, string][] = [
  [/^must NOT have fewer than 1 (characters|items)$/, 'must not be empty'],
  [/^must match pattern .*/, 'is not of the form that is wanted'],
  [/^must NOT/, 'must not'],
];

/** What is wrong with one parameter, as a sentence that begins with the field's label. */
export function faultOf(error: unknown, parameter: string, label: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const fault = error.faults.find((each) => each.parameter === parameter);
  return fault ? `${label} ${inPlainWords(fault.message)}.` : undefined;
}

function inPlainWords(message: string): string {
  const [pattern, words] = PLAIN.find(([each]) => each.test(message)) ?? [];
  return pattern && words ? message.replace(pattern, words) : message;
}

/** Whether each fault stands beside a field already, so that nothing is left to say. */
export function areAllShown(error: unknown, parameters: readonly string[]): boolean {
  if (!(error instanceof ApiError) || error.faults.length === 0) return false;
  return error.faults.every(({ parameter }) => parameters.includes(parameter));
}
