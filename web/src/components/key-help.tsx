import { Fragment } from 'react';
import { KEYS, keysNow } from '../lib/keys.ts';
import { Dialog } from './dialog.tsx';

/** The keys that do something on the page. */
export const KeyHelp = ({ close }: { close: () => void }) => (
  <Dialog title="Keys" close={close}>
    <dl className="key-help">
      {keysNow().map((name) => (
        <Fragment key={name}>
          <dt>
            {KEYS[name].key.split('+').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{KEYS[name].words}</dd>
        </Fragment>
      ))}
    </dl>
    <p className="hint">On a Mac, ⌘ does the same as Ctrl.</p>
  </Dialog>
);
