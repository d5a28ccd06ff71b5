import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { printRecords } from '../cli/print.ts';
import type { CommandContext } from '../cli/with-context.ts';
import { anonymise } from '../platforms/anonymise.ts';
import type { CallCheck, CheckedCall } from '../platforms/call-check.ts';
import { hostOfServer } from '../platforms/connection/server-address.ts';
import { passwordOf } from '../platforms/gateway-registry.ts';
import { checkBridge } from '../platforms/p4-bridge/check-bridge.ts';
import { checkP5Server } from '../platforms/p5-web-api/check-platform.ts';
import { findProfile } from '../storage/profile-store.ts';
import { bridgeOptions, webApiSettings } from './platforms.ts';
import type { Settings } from './settings.ts';

type Output = { login?: string; save?: string; json: boolean };
type BridgeOptions = Output & { tokenFile?: string; tlsCa?: string; tlsFingerprint?: string };
type WithSettings = (run: (settings: Settings) => Promise<unknown>) => Promise<void>;

/** `plimsoll check-bridge URL`: needs no server and no database. */
export function addCheckBridge(program: Command): void {
  const command = program
    .command('check-bridge')
    .description('call a p4 bridge, reading only, and tell what it answers and what it lacks')
    .argument('<url>', 'https://host:port of the bridge')
    .option('--token-file <file>', 'file with the bearer token of the bridge, if it wants one')
    .option('--tls-ca <file>', 'PEM of the authority to trust')
    .option('--tls-fingerprint <sha256>', 'of the only certificate to accept');
  addOutput(command).action(
    async (url: string, { tokenFile, tlsCa, ...options }: BridgeOptions) => {
      const token = tokenFile === undefined ? '' : (await readFile(tokenFile, 'utf8')).trim();
      const trust = {
        ...(tlsCa === undefined ? {} : { tlsCa: await readFile(tlsCa, 'utf8') }),
        ...(options.tlsFingerprint ? { tlsFingerprint: options.tlsFingerprint } : {}),
      };
      const bridge = { server: url, token, allowPrivate: true, ...trust };
      await tell(await checkBridge(bridge, loginOf(options)), options);
    },
  );
}

/** `plimsoll check-platform PROFILE`: as the server would, with the profile's own password. */
export function addCheckPlatform(program: Command, withSettings: WithSettings): void {
  const command = program
    .command('check-platform')
    .description("call a profile's platform, reading only, and tell what it answers")
    .argument('<profile>', 'id of the provisioning profile');
  addOutput(command).action((id: string, options: Output) =>
    withSettings(async (settings) => {
      const { withCommandContext } = await import('./command-context.ts');
      let check: CallCheck | undefined;
      await withCommandContext(settings, async (context) => {
        check = await checkProfile(settings, context, id, loginOf(options));
      });
      if (check) await tell(check, options);
    }),
  );
}

const addOutput = (command: Command): Command =>
  command
    .option('--login <login>', 'account to read; the first of the first group by default')
    .option('--save <file>', 'store the answers there, without whom they are about')
    .option('--json', 'print JSON', false);

const loginOf = ({ login }: Output): number | undefined =>
  login === undefined ? undefined : Number(login);

async function checkProfile(
  settings: Settings,
  { database, secrets }: CommandContext,
  id: string,
  login: number | undefined,
): Promise<CallCheck> {
  const profile = await findProfile(database, id);
  if (!profile)
    throw new Error('There is no such profile: users see the ids of theirs in the dashboard');
  const request = { ...profile, password: await passwordOf(secrets, profile) };
  const allowPrivate = settings.PLIMSOLL_PRIVATE_PLATFORMS(hostOfServer(profile.server ?? ''));
  switch (profile.kind) {
    case 'p5-web-api':
      return checkP5Server(webApiSettings(request, allowPrivate), login);
    case 'p4-bridge':
      return checkBridge(bridgeOptions(request, allowPrivate), login);
    case 'simulated':
      throw new Error('The platform of this profile is simulated: there is nothing to call');
  }
}

async function tell({ rows, recorded }: CallCheck, { save, json }: Output): Promise<void> {
  const columns = {
    CALL: ({ call }: CheckedCall) => call,
    OUTCOME: ({ outcome }: CheckedCall) => outcome,
    ANSWER: ({ detail }: CheckedCall) => detail,
  };
  printRecords(rows, columns, json);
  if (save !== undefined)
    await writeFile(save, `${JSON.stringify(anonymise(recorded), undefined, 2)}\n`);
  const failed = rows.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) throw new Error(`${failed} calls failed`);
}
