import { readData } from './read-data.ts';

/** One number over time. `legend` names labels, as in `{{service}}`. */
type Panel = {
  readonly title: string;
  readonly expr: string;
  readonly legend: string;
  readonly unit: 's' | 'short' | 'bytes' | 'percentunit' | 'reqps' | 'ops' | 'Bps';
  readonly kind?: 'timeseries' | 'stat';
};

type Dashboard = { readonly title: string; readonly rows: Readonly<Record<string, readonly Panel[]>> };

const DATASOURCE = { type: 'prometheus', uid: 'prometheus' };
const WIDTH = 24;
const PER_ROW = 3;
const HEIGHT = 8;

const panelJson = ({ title, expr, legend, unit, kind = 'timeseries' }: Panel, id: number, gridPos: object) => ({
  id,
  type: kind,
  title,
  datasource: DATASOURCE,
  gridPos,
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: [{ refId: 'A', datasource: DATASOURCE, expr, legendFormat: legend }],
});

const layoutPanels = ({ rows }: Dashboard): object[] => {
  const panels: object[] = [];
  let y = 0;
  for (const [title, row] of Object.entries(rows)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: WIDTH, h: 1 },
    });
    y += 1;
    const w = WIDTH / PER_ROW;
    for (const [index, panel] of row.entries()) {
      const gridPos = { x: (index % PER_ROW) * w, y: y + Math.floor(index / PER_ROW) * HEIGHT, w, h: HEIGHT };
      panels.push(panelJson(panel, panels.length + 1, gridPos));
    }
    y += Math.ceil(row.length / PER_ROW) * HEIGHT;
  }
  return panels;
};

/** As Grafana reads it. */
export const dashboardJson = (uid: string, dashboard: Dashboard) => ({
  uid: `tds-${uid}`,
  title: dashboard.title,
  tags: ['tds'],
  schemaVersion: 39,
  editable: false,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  panels: layoutPanels(dashboard),
});

type PanelData = Partial<Panel> & {
  readonly title: string;
  readonly by?: string;
  /** A metric: its largest value, its growth per second, or the 95th percentile of its histogram. */
  readonly max?: string;
  readonly rate?: string;
  readonly p95?: string;
};
type DashboardData = {
  readonly title: string;
  readonly rows: Readonly<Record<string, readonly PanelData[]>>;
};

const formatLegend = (by: string): string =>
  by
    .split(', ')
    .map((label) => `{{${label}}}`)
    .join(' ');

const toPanel = ({ by = '', max, rate, p95, expr = '', ...panel }: PanelData): Panel => {
  const legend = panel.legend ?? formatLegend(by);
  if (max) return { unit: 'short', ...panel, legend, expr: `max by (${by}) (${max})` };
  if (rate) return { unit: 'ops', ...panel, legend, expr: `sum by (${by}) (rate(${rate}[5m]))` };
  const quantile = `histogram_quantile(0.95, sum by (${by}, le) (rate(${p95}_bucket[5m])))`;
  return { unit: 's', ...panel, legend, expr: p95 ? quantile : expr };
};

export const dashboards: Readonly<Record<string, Dashboard>> = Object.fromEntries(
  Object.entries(readData<Readonly<Record<string, DashboardData>>>('dashboards.yml')).map(
    ([name, { title, rows }]) => {
      const panels = Object.entries(rows).map(([row, data]) => [row, data.map(toPanel)] as const);
      return [name, { title, rows: Object.fromEntries(panels) }];
    },
  ),
);
