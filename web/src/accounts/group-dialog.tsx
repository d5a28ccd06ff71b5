import { useState } from 'react';
import type { AccountLabelRecord } from '../../../src/contract/operations/accounts.ts';
import { Combobox } from '../components/combobox.tsx';
import { Dialog } from '../components/dialog.tsx';
import type { Choice } from '../components/use-listed-choices.ts';
import { countOf, formatNumber } from '../lib/format.ts';
import { useLabels } from './use-labels.ts';

const SHOWN = 12;
const ALL: Choice = { id: '', title: 'All accounts' };

/** Picks one of the labels by some of its letters, or all accounts. */
export function GroupDialog(props: {
  group: string;
  choose: (label: string) => void;
  close: () => void;
}) {
  const [text, setText] = useState('');
  const words = text.trim().toLowerCase();
  const fitting = (useLabels().data ?? []).filter(({ label }) =>
    label.toLowerCase().includes(words),
  );
  const choices = [
    ...(ALL.title.toLowerCase().includes(words) ? [ALL] : []),
    ...fitting.slice(0, SHOWN).map((each) => choiceOf(each, props.group)),
  ];
  const more = fitting.length - SHOWN;
  return (
    <Dialog title="Show a group of accounts" close={props.close}>
      <Combobox
        label="Group"
        placeholder="Part of a label"
        text={text}
        change={setText}
        choices={choices}
        choose={({ id }) => {
          props.close();
          props.choose(id);
        }}
        isInline
        note={
          choices.length === 0
            ? 'No label matches.'
            : more > 0
              ? `${formatNumber(more, 0)} more labels match: keep typing.`
              : 'It applies to the list of accounts, the risk desk and the comparison until you pick another.'
        }
      />
    </Dialog>
  );
}

function choiceOf(label: AccountLabelRecord, group: string): Choice {
  const { accounts, exceeded, near } = label;
  const words = [
    countOf(accounts, 'account'),
    ...(exceeded > 0 ? [`${formatNumber(exceeded, 0)} broke a limit`] : []),
    ...(near > 0 ? [`${formatNumber(near, 0)} near one`] : []),
    ...(label.label === group ? ['shown now'] : []),
  ];
  return { id: label.label, title: label.label, hint: words.join(' · ') };
}
