import {
  type Gateway,
  type LoginReading,
  type ManyQuery,
  PlatformError,
} from '../../platforms/gateway.ts';

/** States with their deals of many logins; none where the platform can't tell them together. */
export async function readTogether(
  gateway: Gateway,
  query: ManyQuery,
): Promise<Map<number, LoginReading>> {
  try {
    return (await gateway.readMany?.(query)) ?? new Map();
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'unsupported') return new Map();
    throw error;
  }
}
