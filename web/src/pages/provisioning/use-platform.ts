import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  accountInformationOperation,
  groupAccountsOperation,
  openAccountOperation,
  readP4UserOperation,
  readP5UserOperation,
  symbolsGroupOperation,
} from '../../../../src/contract/operations/platform-accounts.ts';
import type { ProfileRecord } from '../../../../src/contract/operations/profiles.ts';
import { type Answer, addressOf, call, type Input, readAnswer, request } from '../../lib/api.ts';
import { useRefreshProfiles } from './use-profiles.ts';

type Information = ReturnType<typeof accountInformationOperation>;
type Group = ReturnType<typeof groupAccountsOperation>;
type Opening = ReturnType<typeof openAccountOperation>;

export type PlatformSymbol = Answer<typeof symbolsGroupOperation>[number];
export type PlatformUser = Answer<Group>[number];
export type AccountInformation = Answer<Information>;
export type NewAccount = Input<Opening>['body'];
export type OpenedAccount = Answer<Opening>;
/** p4 records have no lead. */
export type ClientRecord = PlatformUser & { leadSource?: string; leadCampaign?: string };

/** Every read shows the state of the connection, whatever its outcome. */
function usePlatformQuery<T>(key: unknown[], isEnabled: boolean, read: () => Promise<T>) {
  const refresh = useRefreshProfiles();
  return useQuery({
    queryKey: key,
    enabled: isEnabled,
    retry: false,
    queryFn: async () => {
      try {
        return await read();
      } finally {
        refresh();
      }
    },
  });
}

/** Symbols of a security group, or of all groups if undefined. */
export function useSymbols(profile: ProfileRecord, group: string) {
  return usePlatformQuery(['symbols', profile.id, group], true, () =>
    call<typeof symbolsGroupOperation>(
      'GET /users/current/p4/provisioning-profiles/:profileId/symbolsGroup',
      { params: { profileId: profile.id }, query: group === '' ? {} : { group: Number(group) } },
    ),
  );
}

export function useGroupAccounts({ id, platform }: ProfileRecord, groupName: string) {
  return usePlatformQuery(['group-accounts', id, groupName], groupName !== '', () =>
    call<Group>(
      `GET /users/current/${platform}/provisioning-profiles/:profileId/groups/:groupName/accounts`,
      {
        params: { profileId: id, groupName },
      },
    ),
  );
}

/** Client record and account information of a login. */
export function useLogin({ id: profileId, platform }: ProfileRecord, login: number | undefined) {
  const params = { profileId, login: login ?? 0 };
  const readUser = (): Promise<ClientRecord> =>
    platform === 'p5'
      ? call<ReturnType<typeof readP5UserOperation>>(
          'GET /users/current/p5/provisioning-profiles/:profileId/accounts/:login',
          { params },
        )
      : call<ReturnType<typeof readP4UserOperation>>(
          'GET /users/current/p4/provisioning-profiles/:profileId/accounts/:login',
          { params },
        );
  return usePlatformQuery(['platform-login', profileId, login], login !== undefined, async () => {
    const [user, information] = await Promise.all([
      readUser(),
      call<Information>(
        `GET /users/current/${platform}/provisioning-profiles/:profileId/accounts/:login/account-information`,
        { params },
      ),
    ]);
    return { user, information };
  });
}

/** Opens an account. A request repeated with its key opens no second one. */
export function useOpenAccount({ id: profileId, platform }: ProfileRecord) {
  const refresh = useRefreshProfiles();
  return useMutation({
    mutationFn: async ({ body, key }: { body: NewAccount; key: string }) => {
      const address = addressOf(
        `/users/current/${platform}/provisioning-profiles/:profileId/accounts`,
        { profileId },
      );
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await request(address, init, true);
      return await readAnswer<OpenedAccount>(response, true);
    },
    onSettled: refresh,
  });
}
