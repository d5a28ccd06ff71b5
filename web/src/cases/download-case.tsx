import { useMutation } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { showToast } from '../components/toast.tsx';
import { downloadText } from '../lib/download.ts';
import { readCase } from './read-case.ts';

/** Saves the signed file of an event, as of now. */
export function DownloadCase(props: {
  sequenceNumber: number | string;
  size?: 'small';
  children: string;
}) {
  const { sequenceNumber, children, ...look } = props;
  const download = useMutation({
    mutationFn: () => readCase(String(sequenceNumber)),
    onSuccess: ({ file }) => {
      const name = `case-${sequenceNumber}.json`;
      downloadText(name, 'application/json', JSON.stringify(file, undefined, 2));
      showToast(`Check it with: plimsoll verify ${name}`);
    },
    onError: ({ message }) => showToast(message, { tone: 'bad' }),
  });
  return (
    <Button {...look} busy={download.isPending} onClick={() => download.mutate()}>
      {children}
    </Button>
  );
}
