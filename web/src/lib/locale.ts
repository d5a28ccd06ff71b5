/** Numbers are written and read in the browser's language, always with the digits 0 to 9. */
const { language = 'en' } = globalThis.navigator ?? {};
export const LOCALE = new Intl.Locale(language, { numberingSystem: 'latn' }).toString();
