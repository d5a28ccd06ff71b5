import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { AddAccountDialog } from '../../accounts/add-account-dialog.tsx';
import { clockFormOf } from '../../components/clock-form.ts';
import { formatNumber } from '../../lib/format.ts';
import type { AccountInformation, ClientRecord } from './use-platform.ts';

/** Adds an account of a platform to the watched ones, with all the platform's data on it. */
export function WatchDialog(props: {
  profile: ProfileRecord;
  user: ClientRecord;
  information: AccountInformation;
  close: () => void;
}) {
  const { profile, user, information } = props;
  const known = {
    name: user.name || `Login ${user.login}`,
    broker: information.broker || profile.name,
    platform: profile.platform,
    login: String(user.login),
    currency: information.currency,
    leverage: formatNumber(information.leverage, 2),
    profileId: profile.id,
    ...clockFormOf(profile.brokerClock),
  };
  return <AddAccountDialog known={known} close={props.close} />;
}
