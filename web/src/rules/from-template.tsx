import { useState } from 'react';
import { ChoiceField } from '../components/choice-field.tsx';
import { formOf, type RuleForm } from './rule-form.ts';
import { useTemplates } from './use-templates.ts';

const NONE = { value: '', title: 'None' };

/** Fills the form from one of the templates; hidden if there is none for the currency. */
export function FromTemplate(props: { currency: string; take: (form: RuleForm) => void }) {
  const [taken, setTaken] = useState('');
  const templates = (useTemplates().data ?? []).filter(
    ({ currency }) => currency === undefined || currency === props.currency,
  );
  if (templates.length === 0) return null;
  return (
    <ChoiceField
      label="Begin with a template"
      hint="You can still change everything"
      options={[NONE, ...templates.map(({ name }) => ({ value: name, title: name }))]}
      value={taken}
      choose={(name) => {
        setTaken(name);
        const template = templates.find((each) => each.name === name);
        if (template) props.take(formOf({ ...template.rule, name: template.name }));
      }}
    />
  );
}
