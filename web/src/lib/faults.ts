import { ApiError } from './api.ts';

/** What is wrong with one parameter, as a sentence that begins with the field's label. */
export function faultOf(error: unknown, parameter: string, label: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const fault = error.faults.find((each) => each.parameter === parameter);
  return fault ? `${label} ${fault.message}.` : undefined;
}

/** Whether a change may or may not have been made, which no title must decide. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof ApiError && error.isOutcomeUnknown;

/** Whether each fault stands beside a field already, so that nothing is left to say. */
export function areAllShown(error: unknown, parameters: ReadonlySet<string>): boolean {
  if (!(error instanceof ApiError) || error.faults.length === 0) return false;
  return error.faults.every(({ parameter }) => parameters.has(parameter));
}
