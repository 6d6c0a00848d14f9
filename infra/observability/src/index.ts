export { alerts } from './alerts.ts';
export { recordings } from './burn-rates.ts';
export { dashboards } from './dashboards.ts';
