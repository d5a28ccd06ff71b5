import type { NewRuleTemplate } from '../../contract/operations/rule-templates.ts';
import type { Context, Principal } from '../context.ts';
import { type Named, saveDocument } from '../documents/manage-documents.ts';
import { type Fault, invalid } from '../errors.ts';
import { trackerFaults } from '../trackers/create-tracker.ts';
import { MONEY_FIELDS } from '../trackers/present-tracker.ts';

/** The faults of the given fields of a template. */
export function templateFaults({ rule, currency }: Partial<NewRuleTemplate>): Fault[] {
  if (rule === undefined) return [];
  const faults = trackerFaults(rule).map(({ parameter, message }) => ({
    parameter: `rule.${parameter}`,
    message,
  }));
  const hasMoney = MONEY_FIELDS.some((field) => rule[field] !== undefined);
  if (hasMoney && currency === undefined) {
    faults.push({ parameter: 'currency', message: 'is required for a rule with amounts of money' });
  }
  return faults;
}

/** Throws `validation` naming every fault, and like saveDocument. */
export async function saveRuleTemplate(
  context: Context,
  principal: Principal,
  template: Named & { body: NewRuleTemplate },
): Promise<void> {
  const faults = templateFaults(template.body);
  if (faults.length > 0) throw invalid(faults);
  await saveDocument(context, principal, 'rule-template', template);
}
