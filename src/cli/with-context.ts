import { userInfo } from 'node:os';
import type { Actor } from '../services/changes.ts';
import type { Context } from '../services/context.ts';
import type { QuotaSettings } from '../services/quotas/quota-settings.ts';

export type CommandContext = Context & QuotaSettings;

/** Opens the database of the settings for one command, and closes it whatever happens. */
export type WithContext = (work: (context: CommandContext) => Promise<void>) => Promise<void>;

/** The audit's name for the user of a command. */
export function commandActor(): Actor {
  try {
    return { actor: `cli:${userInfo().username}`, tokenId: null };
  } catch {
    return { actor: 'cli:unknown', tokenId: null };
  }
}
