import type { ImportRecord } from '../../../../src/contract/operations/statements.ts';
import { ApiError, addressOf, toApiError } from '../../lib/api.ts';
import { readSession, signOut } from '../../lib/session.ts';

/** What may be done with the report of another account. */
export type ForeignReport = { force?: boolean; adopt?: boolean };

/**
 * Sends a file. `progress` hears the sent part of 1. (fetch can not tell how far it is.) Nothing of
 * the account changes unless `adopt` asks for it.
 */
export function uploadStatement(
  accountId: string,
  file: File,
  { force = false, adopt = false }: ForeignReport,
  progress: (sent: number) => void,
): Promise<ImportRecord> {
  progress(0);
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest();
    const path = '/users/current/accounts/:accountId/statements';
    const address = addressOf(path, { accountId }, { force, adopt });
    upload.open('POST', address);
    upload.setRequestHeader('content-type', 'application/octet-stream');
    upload.setRequestHeader('auth-token', readSession().token ?? '');
    upload.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 1);
    const lose = (): void => reject(ApiError.lost(true, 0, ''));
    upload.onload = () => {
      if (upload.status !== 201) {
        if (upload.status === 401) signOut('refused');
        reject(toApiError(upload.status, upload.responseText, true));
        return;
      }
      try {
        resolve(JSON.parse(upload.responseText));
      } catch {
        lose();
      }
    };
    upload.onerror = lose;
    upload.send(file);
  });
}
