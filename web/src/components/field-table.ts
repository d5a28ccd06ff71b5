import { type ComponentProps, isValidElement, type ReactElement, type ReactNode } from 'react';
import { readNumber, UNREADABLE } from '../lib/read-number.ts';
import type { Option } from './choice-field.tsx';
import type { NumberField } from './number-field.tsx';
import type { TextField } from './text-field.tsx';

type NamesOf<F, Value> = { [K in keyof F]-?: F[K] extends Value ? K : never }[keyof F] & string;
type ListedIn<List> = List extends readonly (infer Value extends string)[] ? Value : never;

export type TextRow<Name extends string = string> = { name: Name } & Omit<
  ComponentProps<typeof TextField>,
  'text' | 'change'
>;
/** It has the rules by which it is read. */
export type NumberRow<Name extends string = string> = { name: Name } & Omit<
  ComponentProps<typeof NumberField>,
  'text' | 'change'
>;
/** One of some values. `write` says what changes with it. */
export type ChoiceRow<Name extends string, Value extends string, Changes> = {
  name: Name;
  label: string;
  options: readonly Option<Value>[];
  parameter?: string;
  hint?: ReactNode;
  disabled?: boolean;
  write?: (value: Value) => Changes;
};
/** A box to tick, with its words. */
export type BoxRow<Name extends string = string> = { name: Name; box: ReactNode };
/** Boxes of which some are ticked: their values, in the order of the boxes. */
export type BoxesRow<Name extends string = string, Value extends string = string> = {
  name: Name;
  legend: ReactNode;
  boxes: readonly Option<Value>[];
};

/**
 * A field of a form: under which of the form's names its value is, and what stands beside it. What
 * the server objects to is told there, by its `parameter`: its name, where none is given.
 */
export type FieldRow<F> =
  | TextRow<NamesOf<F, string>>
  | NumberRow<NamesOf<F, string>>
  | { [K in NamesOf<F, string>]: ChoiceRow<K, F[K] & string, Partial<F>> }[NamesOf<F, string>]
  | BoxRow<NamesOf<F, boolean>>
  | {
      [K in NamesOf<F, readonly string[]>]: BoxesRow<K, ListedIn<F[K]>>;
    }[NamesOf<F, readonly string[]>];
/** A row of any form. */
export type AnyRow =
  | TextRow
  | NumberRow
  | ChoiceRow<string, string, object>
  | BoxRow
  | BoxesRow<string, string>;
/** Fields under a heading; those with a `summary` are folded away. */
export type Section<Row> = ({ legend: ReactNode } | { summary: string }) & {
  className?: string;
  disabled?: boolean;
  fields: readonly (Row | Section<Row> | ReactElement | false | null)[];
};
/** The fields of a form, and what stands between them; what is false is left out. */
export type FieldTable<F> = Section<FieldRow<F>>['fields'];

/** What of its fields keeps a form from being sent: the field says why. */
export function obstacleIn(table: Section<AnyRow>['fields'], form: object): string | undefined {
  for (const item of table) {
    if (!item || isValidElement(item)) continue;
    if ('fields' in item) {
      const obstacle = obstacleIn(item.fields, form);
      if (obstacle !== undefined) return obstacle;
    } else if ('rules' in item) {
      const { kind } = readNumber(String(Reflect.get(form, item.name)), item.rules);
      if (kind === 'unreadable' || (kind === 'empty' && item.required)) return UNREADABLE;
    } else if ('fault' in item && item.fault) return 'A field can’t be read. It says why.';
  }
  return undefined;
}
