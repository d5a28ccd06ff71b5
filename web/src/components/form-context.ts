import { createContext, use, useEffect } from 'react';
import { faultOf } from '../lib/faults.ts';

/** Data of a form for its fields. */
export type FormState = {
  /** Why it was refused. */
  error: unknown;
  /** Parameters of the operation that have a field, where their faults are shown. */
  parameters: Set<string>;
  /** Why it can't be sent, once the user has tried. */
  obstacle: string | undefined;
};

export const FormContext = createContext<FormState>({
  error: undefined,
  parameters: new Set(),
  obstacle: undefined,
});

/** The server's objection to a parameter, as a sentence for its field. */
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
