import type { PlatformError } from '../../platforms/gateway.ts';
import { invalidParameter, type ServiceError, unavailable } from '../errors.ts';

const RETRY_AFTER_SECONDS = 10;
/** Long enough for a person to give the profile's login the missing right. */
const REPAIR_RETRY_AFTER_SECONDS = 60;

/** The meaning of a platform's failure to the caller, whose own token is valid in any case. */
export function serviceErrorOf(error: PlatformError): ServiceError {
  switch (error.code) {
    case 'invalid':
    case 'unsupported':
      return invalidParameter('request', error.message);
    case 'denied':
      return unavailable(
        `This profile cannot log in to its platform: ${error.message}`,
        error.retryAfterSeconds ?? REPAIR_RETRY_AFTER_SECONDS,
      );
    case 'forbidden':
      return unavailable(
        `The login of this profile lacks a right on its platform: ${error.message}`,
        error.retryAfterSeconds ?? REPAIR_RETRY_AFTER_SECONDS,
      );
    case 'unavailable':
      return unavailable(
        `The platform of this profile is not available: ${error.message}`,
        error.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
      );
  }
}
