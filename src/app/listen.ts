import type { Settings } from './settings.ts';

type Server = { listen(where: { port: number; host: string }): Promise<string> };

/** HOST is no host name. */
export class NoHost extends Error {
  override readonly name = 'NoHost';
}

/** Listens at the settings' address, and returns it. A failure names the settings. */
export async function listen(
  server: Server,
  { HOST: host, PORT: port }: Pick<Settings, 'HOST' | 'PORT'>,
): Promise<string> {
  try {
    return await server.listen({ port, host });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOTFOUND')
      throw new NoHost(`HOST is no address of this machine: ${error.message}`, { cause: error });
    throw new Error(`HOST and PORT cannot be listened on: ${error.message}`, { cause: error });
  }
}
