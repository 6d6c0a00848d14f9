export { type Asked, expressions, groupedBy, metricsIn } from './asked-for.ts';
export { recordings } from './slos.ts';
