/** Suggested for a zone; any IANA name may be typed. */
export const USUAL_ZONES = [
  ...['America/New_York', 'America/Chicago', 'Europe/Athens', 'Europe/Prague', 'Europe/London'],
  ...['Europe/Moscow', 'Asia/Dubai', 'Asia/Tokyo', 'Australia/Sydney', 'UTC'],
];
