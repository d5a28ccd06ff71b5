import { useEffect, useState } from 'react';
import { lazily } from '../lib/lazily.tsx';
import { useMay } from '../shell/use-may.ts';

const StartDialog = lazily(async () => (await import('./start-dialog.tsx')).StartDialog);

/** Each statement dropped on any page begins an account; a page's own place comes first. */
export function DropAnywhere() {
  const may = useMay().addAccounts;
  const [files, setFiles] = useState<readonly File[]>();
  useEffect(() => {
    if (!may) return;
    const take = (event: DragEvent): void => {
      const dropped = [...(event.dataTransfer?.files ?? [])];
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      // Else the browser would leave the page for the file.
      event.preventDefault();
      // A dialog may hold what was typed.
      if (dropped.length > 0 && !document.querySelector('dialog[open]')) setFiles(dropped);
    };
    addEventListener('dragover', take);
    addEventListener('drop', take);
    return () => {
      removeEventListener('dragover', take);
      removeEventListener('drop', take);
    };
  }, [may]);
  if (!files) return null;
  return <StartDialog files={files} close={() => setFiles(undefined)} />;
}
