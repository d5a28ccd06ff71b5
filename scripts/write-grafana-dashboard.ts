import { writeFileSync } from 'node:fs';
import { grafanaDashboard } from './grafana-dashboard.ts';

/** Rewrites deploy/grafana-dashboard.json. */
const path = new URL('../deploy/grafana-dashboard.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(grafanaDashboard(), undefined, 2)}\n`);
