/** The kinds of recognised files, in the words of their users. */
const KINDS: Record<string, string> = {
  'p4-statement': 'MetaTrader 4 statement',
  'p4-tester': 'MetaTrader 4 strategy tester report',
  'p5-history': 'MetaTrader 5 history report',
  'p5-tester': 'MetaTrader 5 strategy tester report',
  'p5-trade': 'MetaTrader 5 report of open positions',
  'closed-trades': 'Table of closed trades',
  deals: 'List of deals',
  'list-of-trades': "Strategy's list of trades",
  'open-trades': 'Table of open trades',
};

export const kindWords = (kind: string): string => KINDS[kind] ?? kind;
