import { registerHooks } from 'node:module';
import { PLANTED_BUGS } from './planted-bugs.ts';

/** Imported first, it plants the bug that PLANTED_BUG names into the modules that are loaded. */
const ROOT = new URL('../../', import.meta.url).href;
const name = process.env.PLANTED_BUG;
const bug = PLANTED_BUGS.find((known) => known.name === name);
if (!bug) throw new Error(`PLANTED_BUG is none of ${PLANTED_BUGS.map((known) => known.name)}`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const edits = bug.edits.filter(({ file }) => url === `${ROOT}${file}`);
    if (edits.length === 0) return loaded;
    let source = String(loaded.source);
    for (const { file, from, to } of edits) {
      if (source.split(from).length !== 2) throw new Error(`"${from}" is not once in ${file}`);
      source = source.replace(from, () => to);
    }
    return { ...loaded, source };
  },
});
