import { createContext, use, useEffect } from 'react';
import { faultOf } from '../lib/faults.ts';

/** What the fields of a form know of it. */
export type FormState = {
  /** Why it was refused. */
  error: unknown;
  /** Parameters of the operation that have a field, where their faults are told. */
  parameters: Set<string>;
  /** What keeps it from being sent, once somebody tried. */
  obstacle: string | undefined;
};

export const FormContext = createContext<FormState>({
  error: undefined,
  parameters: new Set(),
  obstacle: undefined,
});

/** What the server objects to in a parameter, as a sentence for the field that stands for it. */
export function useFault(parameter: string | undefined, label: string): string | undefined {
  const { error, parameters } = use(FormContext);
  useEffect(() => {
    if (parameter === undefined) return;
    parameters.add(parameter);
    return () => {
      parameters.delete(parameter);
    };
  }, [parameters, parameter]);
  return parameter === undefined ? undefined : faultOf(error, parameter, label);
}
