import { writeFileSync } from 'node:fs';
import { grafanaDashboard } from './grafana-dashboard.ts';

/** Writes deploy/grafana-dashboard.json anew. */
const path = new URL('../deploy/grafana-dashboard.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(grafanaDashboard(), undefined, 2)}\n`);
