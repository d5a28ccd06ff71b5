import type {
  deleteTableMappingOperation,
  listTableMappingsOperation,
  saveTableMappingOperation,
} from '../../../src/contract/operations/table-mappings.ts';
import { useChange, useRead } from '../lib/use-operation.ts';

const PATH = '/users/current/table-mappings' as const;
const KEY = ['table-mappings'];

/** Explanations of tables' columns, for all accounts. */
export const useTableMappings = () =>
  useRead<typeof listTableMappingsOperation>(KEY, `GET ${PATH}`, {});

export const useSaveTableMapping = () =>
  useChange<typeof saveTableMappingOperation>(`PUT ${PATH}/:name`, KEY);

export const useDeleteTableMapping = () =>
  useChange<typeof deleteTableMappingOperation>(`DELETE ${PATH}/:name`, KEY);
