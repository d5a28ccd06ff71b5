import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showToast } from '../../components/toast.tsx';
import { path } from '../../lib/path.ts';
import { navigate } from '../../lib/route.ts';
import { useMay } from '../../shell/use-may.ts';
import { useDeleteProfile } from './use-profiles.ts';

export function DeleteProfile({ profile: { id, name } }: { profile: ProfileRecord }) {
  const remove = useDeleteProfile();
  const may = useMay();
  const done = (): void => {
    showToast(`Profile ${name} is deleted`);
    navigate(path.provisioning());
  };
  if (!may.addAccounts) return null;
  return (
    <ConfirmButton
      label={`Delete ${name}`}
      question={`Delete the profile ${name}?`}
      consequence="Its credentials are erased. Accounts that are read through it keep all stored data, but nothing new is read."
      confirm="Delete the profile"
      work={remove}
      subject={{ params: { profileId: id } }}
      done={done}
    >
      Delete
    </ConfirmButton>
  );
}
