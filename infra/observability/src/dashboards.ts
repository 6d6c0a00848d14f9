import type { Dashboard, Panel } from './panel.ts';
import { readData } from './read-data.ts';

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

const legendOf = (by: string): string =>
  by
    .split(', ')
    .map((label) => `{{${label}}}`)
    .join(' ');

const panelOf = ({ by = '', max, rate, p95, expr = '', ...panel }: PanelData): Panel => {
  const legend = panel.legend ?? legendOf(by);
  if (max) return { unit: 'short', ...panel, legend, expr: `max by (${by}) (${max})` };
  if (rate) return { unit: 'ops', ...panel, legend, expr: `sum by (${by}) (rate(${rate}[5m]))` };
  const quantile = `histogram_quantile(0.95, sum by (${by}, le) (rate(${p95}_bucket[5m])))`;
  return { unit: 's', ...panel, legend, expr: p95 ? quantile : expr };
};

export const dashboards: Readonly<Record<string, Dashboard>> = Object.fromEntries(
  Object.entries(readData<Readonly<Record<string, DashboardData>>>('dashboards.yml')).map(
    ([name, { title, rows }]) => {
      const panels = Object.entries(rows).map(([row, data]) => [row, data.map(panelOf)] as const);
      return [name, { title, rows: Object.fromEntries(panels) }];
    },
  ),
);
