import type { Dashboard, Panel } from '@grafana/schema';
import { type Chart, ROWS } from './grafana-charts.ts';

const HEIGHT = 8;
const WIDTH = 12;

/** Grafana's import: one data source of Prometheus, one job to choose. */
export function grafanaDashboard(): Dashboard {
  const panels: Panel[] = [];
  let y = 0;
  for (const [row, charts] of Object.entries(ROWS)) {
    panels.push({
      ...{ id: panels.length + 1, type: 'row', title: row },
      gridPos: { x: 0, y, w: 2 * WIDTH, h: 1 },
    });
    y += 1;
    charts.forEach((chart, index) => {
      const gridPos = { x: (index % 2) * WIDTH, y, w: WIDTH, h: HEIGHT };
      panels.push(panelOf(chart, panels.length + 1, gridPos));
      if (index % 2 === 1) y += HEIGHT;
    });
  }
  return {
    uid: 'plimsoll',
    title: 'Plimsoll',
    tags: ['plimsoll'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    graphTooltip: 1,
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          ...{ name: 'job', label: 'Job', type: 'query', refresh: 1 },
          datasource: { type: 'prometheus', uid: '$datasource' },
          query: 'label_values(plimsoll_owned_partitions, job)',
        },
      ],
    },
    panels,
  };
}

function panelOf(
  { title, about, unit, queries }: Chart,
  id: number,
  gridPos: Panel['gridPos'],
): Panel {
  const datasource = { type: 'prometheus', uid: '$datasource' };
  return {
    ...{ id, type: 'timeseries', title, description: about, datasource },
    ...(gridPos ? { gridPos } : {}),
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom', showLegend: true } },
    targets: Object.entries(queries).map(([legendFormat, expr], index) => ({
      ...{ refId: String.fromCharCode(65 + index), datasource, expr, legendFormat },
    })),
  };
}
