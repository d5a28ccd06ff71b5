import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { BIN } from '../servers/plimsoll-bin.ts';
import { ROOT } from './blocks.ts';
import { Shell } from './shell.ts';

const FOLDERS = ['bin', 'etc/systemd/system', 'usr/local/bin', 'var/lib/plimsoll', 'var/backups'];

/** Replaces programs that would change this machine, or that it need not have. */
const standIns = (folder: string): Record<string, string> => ({
  useradd: '',
  npm: '',
  systemctl: `echo "$*" >> "${folder}/systemctl.log"`,
  kubectl: `printf '%s\\n' "$@" >> "${folder}/kubectl.log"`,
  git: `mkdir -p "$3" && cp -r "${ROOT}/deploy" "$3"`,
  // All except the owner, who does not exist here.
  install: `
rest=()
while [ $# -gt 0 ]; do
  case "$1" in -o | -g) shift 2 ;; *) rest+=("$1"); shift ;; esac
done
exec /usr/bin/install "\${rest[@]}"`,
  // Reads the settings, and runs what stands after -- with the Node and the server of the tests.
  'systemd-run': `
set -a; . "${folder}/etc/plimsoll/plimsoll.env"; set +a
export PLIMSOLL_DATA="${folder}$PLIMSOLL_DATA"
while [ "$1" != -- ]; do shift; done
exec "${process.execPath}" "${BIN}" "\${@:4}"`,
  // Commands for a container run here.
  docker: `
echo "$*" >> "${folder}/docker.log"
[ "$2" = exec ] || exit 0
exec "${process.execPath}" "${BIN}" "\${@:6}"`,
});

/** A machine whose root is a folder, for the commands by which Plimsoll is installed on one. */
export class Machine extends Shell {
  constructor(t: TestContext) {
    super(t);
    for (const folder of FOLDERS) mkdirSync(join(this.folder, folder), { recursive: true });
    for (const [name, script] of Object.entries(standIns(this.folder))) {
      const file = join(this.folder, 'bin', name);
      writeFileSync(file, `#!/bin/bash\n${script}\n`, { mode: 0o700 });
    }
    const installed = [join(this.folder, 'bin'), join(this.folder, 'usr/local/bin')];
    this.variables.PATH = [...installed, process.env.PATH].join(delimiter);
    this.standIns.push('unset -f plimsoll npm');
  }

  /** Runs an administrator's commands in a folder of this machine. */
  type(commands: string, folder = '.'): Promise<string> {
    const here = commands.replaceAll(/(?<=[\s>|])\/(?=(?:opt|etc|usr|var)\/)/g, `${this.folder}/`);
    return this.run(`cd ${folder}\n${here}`);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }
}
