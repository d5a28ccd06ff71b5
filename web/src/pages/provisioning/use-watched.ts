import { useQuery } from '@tanstack/react-query';
import type {
  AccountRecord,
  readAccountOperation,
} from '../../../../src/contract/operations/accounts.ts';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { ALL_ACCOUNTS, readFitting } from '../../accounts/read-fitting.ts';
import { call } from '../../lib/api.ts';

/** The digits of a short login occur in many accounts. */
const MOST_SEARCHED = 1000;
/** More accounts than any login has. */
const MOST_READ = 10;

/** The accounts that already have a login of a platform: through this profile, or otherwise. */
export const useWatched = (profile: ProfileRecord, login: number | undefined) =>
  useQuery({
    queryKey: ['accounts', 'of-login', profile.id, login],
    queryFn: ({ signal }) => readWatched(profile, String(login), signal),
    enabled: login !== undefined,
  });

async function readWatched(profile: ProfileRecord, login: string, signal: AbortSignal) {
  const fitting = await readFitting({ ...ALL_ACCOUNTS, search: login }, MOST_SEARCHED);
  const same = fitting
    .filter((one) => one.login === login && one.platform === profile.platform)
    .slice(0, MOST_READ);
  const accounts = await Promise.all(same.map(({ id }) => readAccount(id, signal)));
  const isOwn = ({ profileId }: AccountRecord): boolean => profileId === profile.id;
  return { watched: accounts.find(isOwn), others: accounts.filter((one) => !isOwn(one)) };
}

const readAccount = (accountId: string, signal: AbortSignal): Promise<AccountRecord> =>
  call<typeof readAccountOperation>(
    'GET /users/current/accounts/:accountId',
    { params: { accountId } },
    signal,
  );
