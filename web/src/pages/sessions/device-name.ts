/** In this order: some browsers also name those that they are like. */
const BROWSERS = {
  Edg: 'Edge',
  OPR: 'Opera',
  Firefox: 'Firefox',
  Chrome: 'Chrome',
  Safari: 'Safari',
};
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'];
const MAX_LENGTH = 40;

/** The browser of a session in a few words, from what it calls itself. */
export function deviceName(device: string): string {
  const browser = Object.entries(BROWSERS).find(([word]) => device.includes(`${word}/`))?.[1];
  const system = SYSTEMS.find((word) => device.includes(word));
  if (browser === undefined) return device.slice(0, MAX_LENGTH) || 'unknown';
  return system === undefined ? browser : `${browser} on ${system}`;
}
