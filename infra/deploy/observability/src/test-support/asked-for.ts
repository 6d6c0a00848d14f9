import { alerts } from '../alerts.ts';
import { dashboards } from '../dashboards.ts';
import { recordings } from '../slos.ts';

export type Matcher = { readonly label: string; readonly operator: string; readonly value: string };

/** One metric of an expression, as far as it has to be there for the expression to say something. */
export type MetricQuery = { readonly metric: string; readonly matchers: readonly Matcher[] };

export const expressions = (): string[] => [
  ...[...alerts, ...recordings].map(({ expr }) => expr),
  ...Object.values(dashboards).flatMap(({ rows }) =>
    Object.values(rows).flatMap((panels) => panels.map(({ expr }) => expr)),
  ),
];

const matchersIn = (text: string): Matcher[] =>
  [...text.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(([, label = '', operator = '', value = '']) => ({
    label,
    operator,
    value,
  }));

/** Our metrics and those of processes; what rules record has a colon in its name. */
const METRIC = /\b((?:tds|nodejs|process)_[a-z0-9_]+|slo:[a-z0-9_:]+)(?:\{([^}]*)\})?/g;

export const metricsIn = (expr: string): MetricQuery[] =>
  [...expr.matchAll(METRIC)].map(([, metric = '', selector = '']) => ({
    metric,
    matchers: matchersIn(selector),
  }));

/** The labels that an expression groups by. */
export const groupedBy = (expr: string): string[] =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
