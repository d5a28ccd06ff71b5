import { averageCount, figuresOf, largest, longest, type Streak } from './figures.ts';
import { printNumber, printTime } from './print.ts';
import type { Fill, Position, Sample } from './trading.ts';

export type P4Account = {
  login: string;
  name: string;
  broker: string;
  currency: string;
  leverage: number;
  moneyDigits: number;
};

type Ticket = {
  id: number;
  position: Position;
  lots: number;
  exit: Fill | undefined;
  comment: string;
};

/** A partial close ends a ticket and opens the next one for the rest, as the p4 server does it. */
function ticketsOf(position: Position): Ticket[] {
  const exits = position.fills.filter(({ entry }) => entry !== 'in');
  const idAt = (index: number) => (index === 0 ? position.id : position.id + index);
  const tickets = exits.map((exit, index): Ticket => {
    const isLast = index === exits.length - 1 && position.lotsLeft === 0;
    const from = index > 0 ? `from #${idAt(index - 1)}` : position.comment;
    const comment = isLast ? from : `to #${idAt(index + 1)}`;
    return { id: idAt(index), position, lots: exit.lots, exit, comment };
  });
  if (position.lotsLeft > 0)
    tickets.push({
      ...{ id: idAt(exits.length), position, lots: position.lotsLeft, exit: undefined },
      comment: exits.length > 0 ? `from #${idAt(exits.length - 1)}` : position.comment,
    });
  return tickets;
}

/** A DetailedStatement page, windows-1252 and English as every p4 statement. */
export function p4StatementPage(sample: Sample, account: P4Account): Buffer {
  const money = (value: number) => printNumber(value, account.moneyDigits);
  const tickets = sample.positions.flatMap(ticketsOf);
  const closed = tickets.filter((ticket) => ticket.exit);
  const open = tickets.filter((ticket) => !ticket.exit);
  const rows = [
    ...sample.operations.map(({ timeMs, amount, type, comment }, index) => ({
      timeMs,
      html:
        `<tr align=right><td title="${comment}">${48_000_000 + index}</td>` +
        `<td class=msdate nowrap>${printTime(timeMs)}</td><td>${type}</td>` +
        `<td colspan=10 align=left>${comment}</td><td class=mspt>${money(amount)}</td></tr>`,
    })),
    ...closed.map((ticket) => ({
      timeMs: ticket.exit?.timeMs ?? 0,
      html: closedRow(ticket, money),
    })),
  ].sort((a, b) => a.timeMs - b.timeMs);
  const { login, name, currency, leverage, broker } = account;
  const page = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html><head><title>Statement: ${login} - ${name}</title>
<style type="text/css"><!-- td { font: 8pt Tahoma,Arial; } //--></style></head>
<body><div align=center><div style="font: 20pt Times New Roman"><b>${broker}</b></div><br>
<table cellspacing=1 cellpadding=3 border=0>
<tr align=left><td colspan=2><b>Account: ${login}</b></td><td colspan=5><b>Name: ${name}</b></td><td colspan=2><b>Currency: ${currency}</b></td><td colspan=2><b>Leverage: 1:${leverage}</b></td><td colspan=3 align=right><b>${printTime(sample.endMs).slice(0, 16)}</b></td></tr>
<tr align=left><td colspan=14><b>Closed Transactions:</b></td></tr>
${headings('Close Time')}
${rows.map(({ html }) => html).join('\n')}
<tr align=left><td colspan=14><b>Open Trades:</b></td></tr>
${headings('&nbsp;')}
${open.map((ticket) => openRow(ticket, sample, money)).join('\n')}
${summaryRows(sample, account, closed, open)}
</table></div></body></html>
`;
  return Buffer.from(page, 'latin1');
}

const headings = (eighth: string): string =>
  `<tr align=center>${['Ticket', 'Open Time', 'Type', 'Size', 'Item', 'Price', 'S / L', 'T / P', eighth, 'Price', 'Commission', 'Taxes', 'Swap', 'Profit'].map((text) => `<td>${text}</td>`).join('')}</tr>`;

const row = (title: string, cells: readonly string[]): string => {
  const [first = '', ...rest] = cells;
  const mark = title === '' ? '' : ` title="${title}"`;
  return `<tr align=right><td${mark}>${first}</td>${rest.map((text) => `<td>${text}</td>`).join('')}</tr>`;
};

const feesOf = ({ position, lots, exit }: Ticket): number => {
  const entry = position.fills.find((fill) => fill.entry === 'in');
  const share = entry ? (entry.commission * lots) / entry.lots : 0;
  return Number((share + (exit?.commission ?? 0)).toFixed(2));
};

function frontCells({ id, position, lots }: Ticket): string[] {
  const { symbol, side, openTimeMs, openPrice, stop, target } = position;
  return [
    ...[String(id), printTime(openTimeMs), side, lots.toFixed(2), symbol.name.toLowerCase()],
    ...[openPrice, stop, target].map((price) => price.toFixed(symbol.digits)),
  ];
}

function closedRow(ticket: Ticket, money: (value: number) => string): string {
  const { exit, position, comment } = ticket;
  if (!exit) return '';
  const closed = row(comment, [
    ...frontCells(ticket),
    ...[printTime(exit.timeMs), exit.price.toFixed(position.symbol.digits)],
    ...[feesOf(ticket), 0, exit.swap, exit.profit].map(money),
  ]);
  if (comment === '') return closed;
  const below = `<td colspan=9>&nbsp;</td><td>&nbsp;</td><td colspan=3>${comment}</td>`;
  return `${closed}\n<tr align=right>${below}</tr>`;
}

function floatingOf({ position, lots }: Ticket, sample: Sample, digits: number) {
  const { symbol, openPrice, side } = position;
  const price = Number((sample.last.get(symbol.name) ?? openPrice).toFixed(symbol.digits));
  const move = (side === 'buy' ? 1 : -1) * (price - openPrice) * lots * symbol.lotValue(price);
  return { price, profit: Number(move.toFixed(digits)) };
}

function openRow(ticket: Ticket, sample: Sample, money: (value: number) => string): string {
  const { price, profit } = floatingOf(ticket, sample, 2);
  const amounts = [feesOf(ticket), 0, 0, profit].map(money);
  const now = price.toFixed(ticket.position.symbol.digits);
  return row(ticket.comment, [...frontCells(ticket), '&nbsp;', now, ...amounts]);
}

function summaryRows(
  sample: Sample,
  account: P4Account,
  closed: readonly Ticket[],
  open: readonly Ticket[],
): string {
  const money = (value: number) => printNumber(value, account.moneyDigits);
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const inOrder = [...closed].sort((a, b) => (a.exit?.timeMs ?? 0) - (b.exit?.timeMs ?? 0));
  const results = inOrder.map((ticket) => ({
    money: (ticket.exit?.profit ?? 0) + (ticket.exit?.swap ?? 0) + feesOf(ticket),
    closing: true,
    isLong: ticket.position.side === 'buy',
  }));
  const deposits = sum(sample.operations.map(({ amount }) => amount));
  const f = figuresOf(results, sample.operations[0]?.amount ?? 0);
  const floating = sum(
    open.map((one) => floatingOf(one, sample, account.moneyDigits).profit + feesOf(one)),
  );
  const margin = sum(
    open.map(({ lots, position }) => {
      const { openPrice, symbol } = position;
      return (lots * openPrice * symbol.lotValue(openPrice)) / account.leverage;
    }),
  );
  const balance = deposits + f.net;
  const both = (first: string, second: string) => `${first} (${second})`;
  const percent = (value: number) => `${value.toFixed(2)}%`;
  const streak = ({ count, sum: total }: Streak) => both(String(count), money(total));
  const turned = ({ count, sum: total }: Streak) => both(money(total), String(count));
  const share = (count: number) => percent((100 * count) / Math.max(1, f.trades));
  const lines: string[][] = [
    ['Deposit/Withdrawal:', money(deposits), 'Credit Facility:', money(0)],
    ['Closed Trade P/L:', money(f.net), 'Floating P/L:', money(floating), 'Margin:', money(margin)],
    ['Balance:', money(balance), 'Equity:', money(balance + floating)],
    ['Free Margin:', money(balance + floating - margin)],
    ['Gross Profit:', money(f.grossProfit), 'Gross Loss:', money(-f.grossLoss)],
    ['Total Net Profit:', money(f.net), 'Profit Factor:', f.profitFactor.toFixed(2)],
    ['Expected Payoff:', f.payoff.toFixed(2), 'Absolute Drawdown:', money(f.drawdownAbsolute)],
    ['Maximal Drawdown:', both(money(f.drawdownMaximal), percent(f.drawdownMaximalPercent))],
    ['Relative Drawdown:', both(percent(f.drawdownRelativePercent), money(f.drawdownRelative))],
    ['Total Trades:', String(f.trades)],
    ['Short Positions (won %):', both(String(f.short.count), percent(f.short.percent))],
    ['Long Positions (won %):', both(String(f.long.count), percent(f.long.percent))],
    ['Profit Trades (% of total):', both(String(f.won.length), share(f.won.length))],
    ['Loss trades (% of total):', both(String(f.lost.length), share(f.lost.length))],
    ['Largest', 'profit trade:', money(Math.max(0, ...f.won))],
    ['Largest', 'loss trade:', money(Math.min(0, ...f.lost))],
    ['Average', 'profit trade:', money(f.averageWon), 'loss trade:', money(f.averageLost)],
    ['Maximum', 'consecutive wins ($):', streak(longest(f.streaks.wins))],
    ['Maximum', 'consecutive losses ($):', streak(longest(f.streaks.losses))],
    ['Maximal', 'consecutive profit (count):', turned(largest(f.streaks.wins))],
    ['Maximal', 'consecutive loss (count):', turned(largest(f.streaks.losses))],
    ['Average', 'consecutive wins:', String(averageCount(f.streaks.wins))],
    ['Average', 'consecutive losses:', String(averageCount(f.streaks.losses))],
  ];
  const written = lines.map(
    (cells) => `<tr align=right>${cells.map((c) => `<td><b>${c}</b></td>`).join('')}</tr>`,
  );
  return ['<tr align=left><td colspan=14><b>Summary:</b></td></tr>', ...written].join('\n');
}
