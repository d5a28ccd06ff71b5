import type { Fields } from '../../contract/hosted-names.ts';
import type { AccountRecord } from '../../contract/operations/accounts.ts';
import { accountPath, type HostedCall } from './hosted-row.ts';

/**
 * What the platform of an account answers about it now. Undefined for an account without a profile,
 * and while the platform does not answer.
 */
export async function readPlatform<T = Fields>(
  call: HostedCall,
  what: 'account-information' | 'positions',
): Promise<T | undefined> {
  const { status, body } = await call.ask({ method: 'GET', path: accountPath(call) });
  if (status !== 200) return undefined;
  const { platform, profileId, login } = body as AccountRecord;
  if (profileId === undefined) return undefined;
  const profile = `/users/current/${platform}/provisioning-profiles/${encodeURIComponent(profileId)}`;
  const path = `${profile}/accounts/${login}/${what}`;
  const answer = await call.ask({ method: 'GET', path });
  return answer.status === 200 ? (answer.body as T) : undefined;
}
