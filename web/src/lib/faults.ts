import { ApiError } from './api.ts';

/** The fault of one parameter, as a sentence that begins with the field's label. */
export function faultOf(error: unknown, parameter: string, label: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const fault = error.faults.find((each) => each.parameter === parameter);
  return fault ? `${label} ${fault.message}.` : undefined;
}

/** Whether it is unknown if a change was made, so no title may claim either. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof ApiError && error.isOutcomeUnknown;

/** Whether each fault is already shown at a field, so that nothing is left to say. */
export function areAllShown(error: unknown, parameters: ReadonlySet<string>): boolean {
  if (!(error instanceof ApiError) || error.faults.length === 0) return false;
  return error.faults.every(({ parameter }) => parameters.has(parameter));
}
