import { type Profile, listProfiles as pageOfProfiles } from '../../storage/profile-store.ts';
import type { Context, Principal } from '../context.ts';
import { profileUserOf } from './access-profile.ts';

/** A page of the caller's profiles, in order of id. */
export async function listProfiles(
  { database }: Context,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<Profile[]> {
  return pageOfProfiles(database, profileUserOf(principal), page.limit, page.offset);
}
