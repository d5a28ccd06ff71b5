import type { ImportRecord } from '../../../src/contract/operations/statements.ts';
import { ApiError, addressOf, toApiError } from '../lib/api.ts';
import { formatBytes } from '../lib/format.ts';
import { signOut } from '../lib/session.ts';

const MAX_BYTES = 50 * 1024 * 1024;

/** Ways to use another account's report; `dryRun` only asks for the outcome. */
export type HowToImport = { force?: boolean; adopt?: boolean; dryRun?: boolean };

/**
 * Sends a report to an account. `progress` gets the sent part, 0–1. The account itself changes only
 * with `adopt`.
 */
export const uploadStatement = (
  accountId: string,
  file: File,
  { force = false, adopt = false, dryRun = false }: HowToImport,
  progress: (sent: number) => void,
): Promise<ImportRecord> =>
  sendFile(
    addressOf(
      '/users/current/accounts/:accountId/statements',
      { accountId },
      { force, adopt, dryRun, fileName: fileNameOf(file) },
    ),
    { file, isChange: !dryRun },
    progress,
  );

/** Without marks that the server refuses; the end of a long name tells more. */
export const fileNameOf = ({ name }: File): string => name.replace(/\p{C}/gu, '').slice(-200);

/** Sends a file, because fetch cannot report progress. */
export function sendFile<Result>(
  address: string,
  { file, isChange }: { file: File; isChange: boolean },
  progress: (sent: number) => void,
): Promise<Result> {
  if (file.size > MAX_BYTES)
    return Promise.reject(new Error(`The file has ${formatBytes(file.size)}; 50 MB is the most.`));
  progress(0);
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest();
    upload.open('POST', address);
    upload.setRequestHeader('content-type', 'application/octet-stream');
    upload.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 1);
    const lose = (): void => reject(ApiError.lost(isChange, 0, 'The answer was lost: try again.'));
    upload.onload = () => {
      if (upload.status >= 300) {
        if (upload.status === 401) void signOut('ended');
        reject(toApiError(upload.status, upload.responseText, isChange));
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
