import { Field } from '../components/field.tsx';
import { formOf, type RuleForm } from './rule-form.ts';
import { useTemplates } from './use-templates.ts';

/** Fills the form from one of the templates; nothing where there is none for the currency. */
export function FromTemplate(props: { currency: string; take: (form: RuleForm) => void }) {
  const templates = (useTemplates().data ?? []).filter(
    ({ currency }) => currency === undefined || currency === props.currency,
  );
  if (templates.length === 0) return null;
  return (
    <Field label="Begin with a template" hint="Everything can still be changed">
      {(control) => (
        <select
          {...control}
          defaultValue=""
          onChange={({ target }) => {
            const template = templates.find(({ name }) => name === target.value);
            if (template) props.take(formOf({ ...template.rule, name: template.name }));
          }}
        >
          <option value="">None</option>
          {templates.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
