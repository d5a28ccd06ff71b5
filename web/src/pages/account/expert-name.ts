/** Manual orders have the magic number 0. */
export const expertName = (magic: string | undefined): string =>
  magic === undefined ? 'Not known' : magic === '0' ? 'By hand' : magic;
