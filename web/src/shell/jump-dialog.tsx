import { useState } from 'react';
import { useAccountSearch } from '../accounts/use-account-search.ts';
import { Combobox } from '../components/combobox.tsx';
import { Dialog } from '../components/dialog.tsx';
import type { Choice } from '../components/use-listed-choices.ts';
import { formatNumber } from '../lib/format.ts';
import { useKeys } from '../lib/keys.ts';
import { path } from '../lib/path.ts';
import { navigate } from '../lib/route.ts';
import { useShownRoutes } from './use-shown-routes.ts';

const PAGE_PREFIX = 'page ';

/** Opens on Ctrl+K (⌘K): leads to any account or page by some letters of its name. */
export function Jump() {
  const [isOpen, setOpen] = useState(false);
  useKeys({ jump: () => setOpen(true) });
  return isOpen ? <JumpDialog close={() => setOpen(false)} /> : null;
}

function JumpDialog({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const { choices, more, isBehind } = useAccountSearch(text);
  const words = text.trim().toLowerCase();
  const pages: Choice[] = useShownRoutes()
    .filter(({ title }) => words !== '' && title.toLowerCase().includes(words))
    .map(({ pattern, title }) => ({ id: `${PAGE_PREFIX}${pattern}`, title, hint: 'Page' }));
  const go = ({ id }: Choice): void => {
    close();
    if (id.startsWith(PAGE_PREFIX)) navigate(`#${id.slice(PAGE_PREFIX.length)}`);
    else navigate(path.account(id));
  };
  return (
    <Dialog title="Go to an account or page" close={close}>
      <Combobox
        label="Name, login, broker, currency or id"
        placeholder="Name, login, broker, currency or id"
        text={text}
        change={setText}
        choices={[...pages, ...choices]}
        isBehind={isBehind}
        choose={go}
        isInline
        note={
          choices.length + pages.length === 0 && !isBehind
            ? 'Nothing matches.'
            : more > 0
              ? `${formatNumber(more, 0)} more accounts match: keep typing.`
              : undefined
        }
      />
    </Dialog>
  );
}
