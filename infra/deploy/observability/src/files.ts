import { stringify } from 'yaml';
import { alertIndex } from './alert-index.ts';
import { alerts } from './alerts.ts';
import { dashboardJson, dashboards } from './dashboards.ts';
import { rules } from './rules.ts';

const NOTICE = '# Made by src/generate.ts of alerts.yml, dashboards.yml and src/slos.ts: change those.\n';

/** What is made of the tables, by its path below the folder. */
export const files: Readonly<Record<string, string>> = {
  '../../../docs/generated/alerts.md': alertIndex(alerts),
  'rules.yml': NOTICE + stringify(rules, { lineWidth: 0, aliasDuplicateObjects: false }),
  ...Object.fromEntries(
    Object.entries(dashboards).map(([name, dashboard]) => [
      `grafana/dashboards/${name}.json`,
      `${JSON.stringify(dashboardJson(name, dashboard), null, 2)}\n`,
    ]),
  ),
};
