import { readClock, USUAL_CLOCK } from '../../components/clock-form.ts';
import type { Kind, Platform } from './profile-words.ts';
import type { NewProfile } from './use-profiles.ts';

/** A profile as typed. */
export type ProfileDraft = {
  name: string;
  platform: Platform;
  kind: Kind;
  server: string;
  login: string;
  password: string;
  tlsFingerprint: string;
  tlsCa: string;
  zone: string;
  shiftHours: string;
};

export const EMPTY: ProfileDraft = {
  name: '',
  platform: 'p5',
  kind: 'simulated',
  server: '',
  login: '',
  password: '',
  tlsFingerprint: '',
  tlsCa: '',
  ...USUAL_CLOCK,
};

/**
 * Fields that the kind does not use are not sent, above all the password. Undefined while the clock
 * can't be read.
 */
export function toProfile(draft: ProfileDraft): NewProfile | undefined {
  const { name, platform, kind } = draft;
  const brokerClock = readClock(draft);
  if (!brokerClock) return undefined;
  const profile: NewProfile = { name: name.trim(), platform, kind, brokerClock };
  if (kind === 'simulated') return profile;
  const reached = {
    server: draft.server.trim(),
    login: kind === 'p5-web-api' ? draft.login.trim() : '',
    password: draft.password,
    tlsFingerprint: draft.tlsFingerprint.trim(),
    tlsCa: draft.tlsCa.trim(),
  };
  const given = Object.entries(reached).filter(([, value]) => value !== '');
  return { ...profile, ...Object.fromEntries(given) };
}
