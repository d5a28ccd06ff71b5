import { kept } from '../lib/kept.ts';

const LOCK = 'plimsoll-alarm';

export type AlarmSettings = { sound: boolean; notification: boolean };
export type AlarmKind = 'loss' | 'target';

/** Both are off by default; the choice belongs to this browser. */
const { read, save, useKept, notice } = kept<AlarmSettings>('plimsoll-alarm', {
  sound: false,
  notification: false,
});

export const useAlarmSettings = (): AlarmSettings => useKept((settings) => settings);
export const saveAlarm = save;

let audio: AudioContext | undefined;

/** Whether the browser blocks sound until the user clicks or types on the page. */
export const useIsSoundBlocked = (): boolean =>
  useKept(({ sound }) => sound && audio?.state === 'suspended');

/** Enables sound; works only within a click or a key press. */
export function unlockSound(): void {
  audio ??= new AudioContext();
  audio.onstatechange = notice;
  void audio.resume().then(notice);
}

/** Two short tones: falling for a loss, rising for a profit target. */
export function playTone(kind: AlarmKind): void {
  audio ??= new AudioContext();
  audio.onstatechange = notice;
  const tones = kind === 'loss' ? [660, 440] : [520, 780];
  for (const [index, frequency] of tones.entries()) {
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    const start = audio.currentTime + index * 0.18;
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0.15, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.16);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.17);
  }
}

/** A storm of events is one alarm. */
const QUIET_MS = 2_000;
let rangAtMs = 0;

/** Rings according to the settings, in only one of the browser's tabs. */
export function ring(kind: AlarmKind, title: string, body: string, address: string): void {
  const nowMs = Date.now();
  if (nowMs - rangAtMs < QUIET_MS) return;
  rangAtMs = nowMs;
  const settings = read();
  if (!settings.sound && !settings.notification) return;
  void inOneTab(() => {
    if (settings.sound) playTone(kind);
    if (settings.notification) notify(title, body, address);
  });
}

/** The first tab to take the lock keeps it for as long as others would ring for the same event. */
async function inOneTab(work: () => void): Promise<void> {
  if (!('locks' in navigator)) {
    work();
    return;
  }
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    work();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  });
}

function notify(title: string, body: string, address: string): void {
  const note = new Notification(title, { body, tag: 'plimsoll-alarm' });
  note.onclick = () => {
    focus();
    location.hash = address;
  };
}

/** Asks for permission to notify; false if refused or impossible. */
export async function mayNotify(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  return (await Notification.requestPermission()) === 'granted';
}
