const CACHE = 'NODE_COMPILE_CACHE';

/**
 * The environment of a thread that reads what strangers sent: no setting and no secret, only where
 * Node keeps compiled code. With that, a thread starts in half the time.
 */
export function threadEnvironment(): Record<string, string> {
  const folder = process.env[CACHE];
  return folder === undefined ? {} : { [CACHE]: folder };
}
