import type {
  deleteImportOperation,
  listImportsOperation,
  readImportOperation,
} from '../../../../src/contract/operations/statements.ts';
import { useChange, usePages, useRead } from '../../lib/use-operation.ts';

const PATH = '/users/current/accounts/:accountId/imports' as const;
const SETTLING_MS = 1_000;

/** Imported report files, newest first; requested again while one is being stored or removed. */
export const useImports = (accountId: string) =>
  usePages<typeof listImportsOperation>(
    ['account', accountId, 'imports'],
    `GET ${PATH}`,
    { params: { accountId } },
    (imports) => (imports.some(({ state }) => state !== 'stored') ? SETTLING_MS : false),
  );

/** All data of one of them. */
export const useImport = (accountId: string, importId: string) =>
  useRead<typeof readImportOperation>(
    ['account', accountId, 'imports', importId],
    `GET ${PATH}/:importId`,
    { params: { accountId, importId } },
  );

export const useTakeBack = (accountId: string) =>
  useChange<typeof deleteImportOperation>(
    `DELETE ${PATH}/:importId`,
    ['account', accountId],
    ['accounts'],
  );
