import type { ImportRecord } from '../../../../src/contract/operations/statements.ts';
import { ApiError, addressOf, toApiError } from '../../lib/api.ts';
import { readSession, signOut } from '../../lib/session.ts';

/**
 * Sends a file; `force` also takes the report of another account. `progress` hears the sent part of
 * 1. (fetch can not tell how far it is.)
 */
export function uploadStatement(
  accountId: string,
  file: File,
  force: boolean,
  progress: (sent: number) => void,
): Promise<ImportRecord> {
  progress(0);
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest();
    const path = '/users/current/accounts/:accountId/statements';
    const address = addressOf(path, { accountId }, force ? { force } : {});
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
