import { useState } from 'react';
import type { RuleTemplateRecord } from '../../../../src/contract/operations/rule-templates.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Page } from '../../components/page.tsx';
import { Shown } from '../../components/shown.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatLocalTime } from '../../lib/format.ts';
import { ApplyRuleDialog } from '../../rules/apply-rule-dialog.tsx';
import { describeRule } from '../../rules/rule-words.ts';
import { TemplateDialog } from '../../rules/template-dialog.tsx';
import {
  toTemplate,
  useDeleteTemplate,
  useSaveTemplate,
  useTemplates,
} from '../../rules/use-templates.ts';
import { useMay } from '../../shell/use-may.ts';

/** Templates of rules: tried on the history of accounts, then applied to the chosen ones. */
export function RulesPage() {
  const templates = useTemplates();
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const create =
    may.write && may.wholeUser ? (
      <Button kind="primary" onClick={() => setCreating(true)}>
        New template
      </Button>
    ) : null;
  return (
    <Page
      title="Rules"
      lead="Templates of loss limits and targets, shared by all who work with these accounts"
      actions={create}
    >
      <Shown
        read={templates}
        what="templates"
        lines={6}
        empty={
          <Card>
            <Empty title="No templates yet" action={create}>
              Make one here, or save the rule of a tracker as a template. Then try it on the history
              of as many accounts as you like, and let it watch them.
            </Empty>
          </Card>
        }
      >
        {(all) => all.map((template) => <TemplateCard key={template.name} template={template} />)}
      </Shown>
      {isCreating ? <TemplateDialog close={() => setCreating(false)} /> : null}
    </Page>
  );
}

function TemplateCard({ template }: { template: RuleTemplateRecord }) {
  const { name, rule, currency, changedAt } = template;
  const [open, setOpen] = useState<'apply' | 'change'>();
  const may = useMay();
  const removal = useDeleteTemplate();
  const save = useSaveTemplate();
  const saveAgain = (): Promise<unknown> =>
    save.mutateAsync(toTemplate({ ...rule, name }, currency, 'none'));
  const close = (): void => setOpen(undefined);
  const about = <span className="visually-hidden"> “{name}”</span>;
  return (
    <Card
      title={name}
      actions={
        may.write ? (
          <>
            <Button size="small" kind="primary" onClick={() => setOpen('apply')}>
              Apply to accounts{about}
            </Button>
            {may.wholeUser ? (
              <>
                <Button size="small" onClick={() => setOpen('change')}>
                  Change{about}
                </Button>
                <ConfirmButton
                  label={`Delete “${name}”`}
                  question={`Delete the template “${name}”?`}
                  consequence="Trackers created from it keep watching."
                  confirm="Delete"
                  work={removal}
                  subject={{ params: { name }, query: { replaces: changedAt } }}
                  done={() => showToast(`“${name}” is deleted`, { undo: saveAgain })}
                >
                  Delete
                </ConfirmButton>
              </>
            ) : null}
          </>
        ) : null
      }
    >
      <p>{describeRule(rule, currency ?? '')}</p>
      <p className="hint">
        {currency ? `For accounts in ${currency}. ` : 'For accounts in any currency. '}
        Saved {formatLocalTime(changedAt)} your time.
      </p>
      {open === 'apply' ? (
        <ApplyRuleDialog rule={{ ...rule, name }} currency={currency} close={close} />
      ) : null}
      {open === 'change' ? <TemplateDialog template={template} close={close} /> : null}
    </Card>
  );
}
