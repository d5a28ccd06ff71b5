/** Words of the p5 reports' headings in some languages, as a translator would put them. */
export type P5Words = {
  head: readonly [name: string, account: string, broker: string, date: string];
  sections: readonly [string, string, string, string, string];
  columns: Record<
    | 'time'
    | 'openTime'
    | 'position'
    | 'symbol'
    | 'type'
    | 'volume'
    | 'price'
    | 'commission'
    | 'fee'
    | 'swap'
    | 'profit'
    | 'order'
    | 'state'
    | 'comment'
    | 'deal'
    | 'direction'
    | 'cost'
    | 'balance'
    | 'market',
    string
  >;
  title: string;
};

const words = (title: string, head: string, sections: string, columns: string): P5Words => {
  const [time, openTime, position, symbol, type, volume, price, commission, fee, swap, ...rest] =
    columns.split('|') as string[];
  const [profit, order, state, comment, deal, direction, cost, balance, market] = rest;
  const listed = { time, openTime, position, symbol, type, volume, price, commission, fee, swap };
  return {
    title,
    head: head.split('|') as unknown as P5Words['head'],
    sections: sections.split('|') as unknown as P5Words['sections'],
    columns: {
      ...listed,
      ...{ profit, order, state, comment, deal, direction, cost, balance, market },
    } as P5Words['columns'],
  };
};

export const P5_WORDS: Record<string, P5Words> = {
  en: words(
    'Trade History Report',
    'Name|Account|Company|Date',
    'Positions|Orders|Deals|Open Positions|Results',
    'Time|Open Time|Position|Symbol|Type|Volume|Price|Commission|Fee|Swap|Profit|Order|State|Comment|Deal|Direction|Cost|Balance|Market Price',
  ),
  fr: words(
    "Rapport de l'historique",
    'Nom|Compte|Courtier|Date',
    'Positions|Ordres|Transactions|Positions ouvertes|Résultats',
    "Heure|Heure d'ouverture|Position|Symbole|Type|Volume|Prix|Commission|Frais|Echange|Profit|Ordre|État|Commentaire|Opération|Direction|Coût|Solde|Prix du marché",
  ),
  ru: words(
    'Отчет по истории торговли',
    'Имя|Счет|Компания|Дата',
    'Позиции|Ордера|Сделки|Открытые позиции|Результаты',
    'Время|Время открытия|Позиция|Символ|Тип|Объем|Цена|Комиссия|Сбор|Своп|Прибыль|Ордер|Состояние|Комментарий|Сделка|Направление|Стоимость|Баланс|Рыночная цена',
  ),
  bg: words(
    'Отчет за историята на търговията',
    'Име|Сметка|Компания|Дата',
    'Позиции|Поръчки|Сделки|Отворени позиции|Резултати',
    'Време|Време на отваряне|Позиция|Символ|Вид|Обем|Цена|Комисиона|Такса|Суап|Печалба|Поръчка|Състояние|Коментар|Сделка|Посока|Разход|Баланс|Пазарна цена',
  ),
  de: words(
    'Bericht der Handelshistorie',
    'Name|Konto|Firma|Datum',
    'Positionen|Orders|Deals|Offene Positionen|Ergebnisse',
    'Zeit|Eröffnungszeit|Position|Symbol|Typ|Volumen|Preis|Kommission|Gebühr|Swap|Gewinn|Order|Status|Kommentar|Deal|Richtung|Kosten|Kontostand|Marktpreis',
  ),
  es: words(
    'Informe del historial comercial',
    'Nombre|Cuenta|Compañía|Fecha',
    'Posiciones|Órdenes|Transacciones|Posiciones abiertas|Resultados',
    'Hora|Hora de apertura|Posición|Símbolo|Tipo|Volumen|Precio|Comisión|Tarifa|Swap|Beneficio|Orden|Estado|Comentario|Transacción|Dirección|Coste|Balance|Precio de mercado',
  ),
  ja: words(
    '取引履歴レポート',
    '名前|口座|会社|日付',
    'ポジション|注文|約定|保有ポジション|結果',
    '時間|発注時間|ポジション|銘柄|タイプ|数量|価格|手数料|費用|スワップ|損益|注文番号|状態|コメント|約定番号|新規・決済|コスト|残高|市場価格',
  ),
  zh: words(
    '交易历史报告',
    '姓名|账户|公司|日期',
    '持仓|订单|成交|未平仓持仓|结果',
    '时间|开仓时间|持仓编号|交易品种|类型|交易量|价位|手续费|费用|库存费|盈利|订单号|状态|注释|成交号|方向|成本|结余|市场价格',
  ),
};

/** The 32 figures in order; in other languages they bear the number only, order is what counts. */
export const P5_RESULT_LABELS =
  `Balance|Free Margin|Credit Facility|Margin|Floating P/L|Margin Level|Equity|Total Net Profit|
Gross Profit|Gross Loss|Profit Factor|Expected Payoff|Recovery Factor|Sharpe Ratio|
Balance Drawdown Absolute|Balance Drawdown Maximal|Balance Drawdown Relative|Total Trades|
Short Trades (won %)|Long Trades (won %)|Profit Trades (% of total)|Loss Trades (% of total)|
Largest profit trade|Largest loss trade|Average profit trade|Average loss trade|
Maximum consecutive wins ($)|Maximum consecutive losses ($)|Maximal consecutive profit (count)|
Maximal consecutive loss (count)|Average consecutive wins|Average consecutive losses`
    .replaceAll('\n', '')
    .split('|');
