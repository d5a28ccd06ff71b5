import { listProfileRows, type Profile } from '../../storage/profile-store.ts';
import type { Context, Principal } from '../context.ts';
import { profileUserOf } from './access-profile.ts';

/** A page of the caller's profiles, in order of id. */
export async function listProfiles(
  { database }: Context,
  principal: Principal,
  page: { limit: number; offset: number },
): Promise<Profile[]> {
  return listProfileRows(database, profileUserOf(principal), page.limit, page.offset);
}
