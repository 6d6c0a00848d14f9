import { expect, it } from '@jest/globals';
import { groupedBy, metricsIn } from './asked-for.ts';

it('finds every metric of an expression with what it selects, and what it is grouped by', () => {
  const expr =
    'max by (service, le) (rate(tds_a_seconds_bucket{route="getTranscript",status=~"5.."}[5m])) > slo:x:1h{slo="job"} or {__name__=~"tds_b_total|tds_c_total"}';
  expect(metricsIn(expr)).toEqual([
    {
      metric: 'tds_a_seconds_bucket',
      matchers: [
        { label: 'route', operator: '=', value: 'getTranscript' },
        { label: 'status', operator: '=~', value: '5..' },
      ],
    },
    { metric: 'slo:x:1h', matchers: [{ label: 'slo', operator: '=', value: 'job' }] },
    { metric: 'tds_b_total', matchers: [] },
    { metric: 'tds_c_total', matchers: [] },
  ]);
  expect(groupedBy(expr)).toEqual(['service', 'le']);
});
