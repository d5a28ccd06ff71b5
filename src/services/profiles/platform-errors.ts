import type { PlatformError } from '../../platforms/gateway.ts';
import { invalidParameter, type ServiceError, unavailable } from '../errors.ts';

const RETRY_AFTER_SECONDS = 10;
/** A refused manager login is for people to repair. */
const DENIED_RETRY_AFTER_SECONDS = 60;

/** What a platform's failure is to the caller, whose own token is fine in any case. */
export function serviceErrorOf(error: PlatformError): ServiceError {
  switch (error.code) {
    case 'invalid':
    case 'unsupported':
      return invalidParameter('request', error.message);
    case 'denied':
      return unavailable(
        `The platform rejected this profile's credentials: ${error.message}`,
        error.retryAfterSeconds ?? DENIED_RETRY_AFTER_SECONDS,
      );
    case 'unavailable':
      return unavailable(
        `The platform of this profile does not answer: ${error.message}`,
        error.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
      );
  }
}
