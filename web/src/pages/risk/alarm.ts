const KEY = 'plimsoll-alarm';

export type Alarm = { sound: boolean; notification: boolean };

/** Both are off until asked for; the choice is this browser's. */
export function readAlarm(): Alarm {
  try {
    return { sound: false, notification: false, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { sound: false, notification: false };
  }
}

export const saveAlarm = (alarm: Alarm): void => localStorage.setItem(KEY, JSON.stringify(alarm));

let audio: AudioContext | undefined;

/** Two short tones: falling for a drawdown, rising for a profit target. */
export function playTone(isLoss: boolean): void {
  audio ??= new AudioContext();
  const tones = isLoss ? [660, 440] : [520, 780];
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

/** Asks for leave to notify; false where it was refused or can't be given. */
export async function mayNotify(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  return (await Notification.requestPermission()) === 'granted';
}
