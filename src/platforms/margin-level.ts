/** Equity in percent of the margin, to two digits; 0 while no margin is used. */
export const marginLevel = (equity: number, margin: number): number =>
  margin > 0 ? Math.round((equity / margin) * 10_000) / 100 : 0;
