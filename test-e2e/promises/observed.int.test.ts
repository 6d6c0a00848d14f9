import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { instrumentLabels } from '@tds/kit/testing';
import { serviceNames } from '@tds/local';
import { recordings } from '@tds/observability';
import { expressions, groupedBy, type MetricQuery, metricsIn } from '@tds/observability/testing';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  fileVideo,
  postJson,
  putJson,
  shareTestSystem,
  signUp,
  type TestSystem,
} from '#support/testing';

/** What is measured under a name: its labels, and the values that each of them had. */
type Series = ReadonlyMap<string, ReadonlySet<string>>;

/** Each metric has its service; the others are of Prometheus itself: who was scraped. */
const ofAll = ['service', 'instance', 'job', 'alertname', 'severity', '__name__'];
/** Failures and reads of half a minute do not happen here; tasks are counted seldom where that takes long, and tested with the kit. */
const notMadeHere = ['tds_http_request_duration_seconds status', 'tds_tasks state'];
/** The labels of metrics that are made only with settings that this system lacks. */
const madeElsewhere: Readonly<Record<string, readonly string[]>> = {
  tds_platform_sessions_total: ['exit', 'change', 'proven'],
};
const isMadeHere = (metric: string, label: string): boolean =>
  !notMadeHere.includes(`${metric.replace(/_(bucket|count)$/, '')} ${label}`);

let system: TestSystem;
let measured: ReadonlyMap<string, Series>;

const valuesOf = (text: string): [string, string][] =>
  [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]);

/** By the name of each metric that the text declares, also of those that nothing was measured of. */
const read = (texts: readonly string[]): Map<string, Map<string, Set<string>>> => {
  const found = new Map<string, Map<string, Set<string>>>();
  const seriesOf = (name: string) => found.get(name) ?? found.set(name, new Map()).get(name);
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, declared = '', kind] = /^# TYPE (\S+) (\w+)/.exec(line) ?? [];
    if (declared) seriesOf(declared);
    if (kind === 'histogram') for (const part of ['bucket', 'count', 'sum']) seriesOf(`${declared}_${part}`);
    const [, name = '', labels = ''] = /^(\w+)\{(.*)\} /.exec(line) ?? [];
    if (!name) continue;
    for (const [label, value] of valuesOf(labels)) {
      const values = seriesOf(name);
      values?.set(label, (values.get(label) ?? new Set()).add(value));
    }
  }
  return found;
};

const scrape = async () =>
  read(
    await Promise.all(
      serviceNames.map(async (name) => (await fetch(`${system.healthOf(name)}/metrics`)).text()),
    ),
  );

/** Whatever leaves a trace in a metric that rules select by its labels. */
const live = async (): Promise<void> => {
  const customer = await signUp(system);
  await putJson(`${system.gateway}/v1/webhooks`, { url: system.receiver.hookUrl }, bearer(customer.key));
  for (const _ of ['cold', 'cached']) await customer.get(`/v1/transcript?video_id=${fileVideo(1)}`);
  await postJson(`${system.gateway}/v1/jobs`, { video_ids: [fileVideo(2)] }, bearer(customer.key));
  await customer.get('/v1/billing/purchases');
  await eventually(() => expect(system.receiver.received()).toHaveLength(1));
};

beforeAll(async () => {
  system = await shareTestSystem();
  await live();
  measured = await scrape();
});
afterAll(() => system?.stop());

const recorded = new Map(recordings.map(({ record }) => [record, new Map([['slo', new Set<string>()]])]));
for (const { record, labels } of recordings) recorded.get(record)?.get('slo')?.add(labels.slo);
const seriesOf = ({ metric }: MetricQuery): Series | undefined => recorded.get(metric) ?? measured.get(metric);

const labelsOf = (asked: MetricQuery): readonly string[] => {
  const declared = instrumentLabels().get(asked.metric.replace(/_(bucket|count|sum)$/, '')) ?? [];
  const elsewhere = madeElsewhere[asked.metric] ?? [];
  return [...(seriesOf(asked)?.keys() ?? []), ...declared, ...elsewhere, ...ofAll];
};

const asked = expressions().flatMap(metricsIn);

/** The words that a matcher may be equal to; none where it is a pattern. */
const wordsOf = ({ operator, value }: MetricQuery['matchers'][number]): string[] =>
  operator.startsWith('=') && /^[\w|-]+$/.test(value) ? value.split('|') : [];

describe('what rules and dashboards ask for', () => {
  it('is measured by the services that run', () => {
    expect(asked.length).toBeGreaterThan(100);
    const missing = asked.filter((each) => seriesOf(each) === undefined).map(({ metric }) => metric);
    expect([...new Set(missing)]).toEqual([]);
  });

  it('has every label that is selected or grouped by', () => {
    const selected = asked.flatMap((each) =>
      each.matchers
        .filter(({ label }) => !labelsOf(each).includes(label))
        .map(({ label }) => `${each.metric}: ${label}`),
    );
    const grouped = expressions().flatMap((expr) => {
      const metrics = metricsIn(expr);
      const there = new Set(metrics.flatMap(labelsOf));
      return metrics.length === 0
        ? []
        : groupedBy(expr)
            .filter((label) => !there.has(label))
            .map((label) => `${expr}: ${label}`);
    });
    expect([...selected, ...grouped]).toEqual([]);
  });

  it('has every value that is selected', () => {
    const wrong = asked.flatMap((each) =>
      each.matchers
        .filter(({ label }) => isMadeHere(each.metric, label) && seriesOf(each)?.has(label))
        .flatMap((matcher) => wordsOf(matcher).map((word) => ({ ...matcher, word })))
        .filter(({ label, word }) => !seriesOf(each)?.get(label)?.has(word))
        .map(({ label, word }) => `${each.metric}{${label}="${word}"}`),
    );
    expect([...new Set(wrong)]).toEqual([]);
  });
});
