import type { AccountRecord } from '../../../../src/contract/operations/accounts.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatNumber } from '../../lib/format.ts';
import { useMay } from '../../shell/use-may.ts';
import { kindWords } from './report-kinds.ts';
import { useTakeBack } from './use-imports.ts';

/** Takes an import back; nothing where the token may not. */
export function TakeBack(props: {
  account: AccountRecord;
  imported: { id: string; kind: string; added: number };
  done?: () => void;
}) {
  const { account, imported } = props;
  const takeBack = useTakeBack(account.id);
  if (!useMay().write) return null;
  return (
    <ConfirmButton
      label={`Take back ${kindWords(imported.kind)}`}
      question="Take this import back?"
      consequence={`This removes up to ${formatNumber(imported.added, 0)} deals that only this import brought to “${account.name}”; deals that another import lists stay. Statistics follow in the background.`}
      confirm="Take it back"
      work={takeBack}
      action={async () => {
        await takeBack.mutateAsync({ params: { accountId: account.id, importId: imported.id } });
        showToast('The import is being taken back');
        props.done?.();
      }}
    >
      Take back
    </ConfirmButton>
  );
}
