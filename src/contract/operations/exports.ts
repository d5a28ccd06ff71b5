import Type from 'typebox';
import { EXPORTS, FILE_FORMATS } from '../../words/statistics.ts';
import { defineOperation } from '../operation.ts';
import { words } from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { computing } from './historical-trades.ts';
import { moment } from './metrics.ts';

export const exportHistoryOperation = defineOperation({
  operationId: 'exportHistory',
  method: 'GET',
  path: '/users/current/accounts/:accountId/exports/:what',
  base: 'stats',
  scope: 'read',
  summary: 'Trades, deals or statistics as a file',
  description:
    'csv opens in a spreadsheet of the language: UTF-8 with a byte order mark; if the language has a decimal comma, semicolons separate the cells. json is the list of the records, or the statistics as in `metrics`. Trades and statistics are those that closed in the range, deals those of its time. 202 while the trades are being computed.',
  params: Type.Object({
    ...accountParams.properties,
    what: words(EXPORTS, { description: 'Content of the file' }),
  }),
  querystring: Type.Object({
    format: Type.Optional(words(FILE_FORMATS, { default: 'csv', description: 'The file format' })),
    locale: Type.Optional(
      Type.String({
        maxLength: 35,
        format: 'language',
        default: 'en',
        description: 'Language tag of the spreadsheet, for example de-DE; csv only',
      }),
    ),
    from: moment('Start of the range, inclusive'),
    to: moment('End of the range, exclusive'),
  }),
  file: ['application/json', 'text/csv'],
  response: {
    200: Type.Unsafe<string>({ description: 'The file, as long as it is' }),
    202: computing,
  },
  errors: [404],
});
