import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { signUp, startTestSystem, startTraceCollector, type TestSystem } from '@tds/e2e-support/testing';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';

let collector: Awaited<ReturnType<typeof startTraceCollector>>;
let system: TestSystem;
beforeAll(async () => {
  collector = await startTraceCollector();
  system = await startTestSystem({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
});
afterAll(async () => {
  await system?.stop();
  await collector?.stop();
});

it('one trace shows a cold transcript across gateway, bus, fetcher, ledger, Postgres and platform', async () => {
  const customer = await signUp(system);
  await customer.get(`/v1/transcript?video_id=${loadVideoId(1)}`);
  await eventually(async () => {
    const root = collector.spans.find(({ name }) => name === 'GET /v1/transcript');
    const trace = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
    const steps = trace.map(({ service, name }) => `${service}: ${name}`);
    expect(steps).toEqual(
      expect.arrayContaining([
        'gateway: GET /v1/transcript',
        'gateway: call get-transcript',
        'transcript-fetcher: get-transcript',
        'transcript-fetcher: call reserve-parts',
        'credits-ledger: reserve-parts',
        'transcript-fetcher: platform inspect-video',
        'transcript-fetcher: platform fetch-track',
        'transcript-fetcher: call resolve-parts',
        'credits-ledger: resolve-parts',
      ]),
    );
    expect(steps.some((step) => step.startsWith('credits-ledger: ') && /: postgres /.test(step))).toBe(true);
    const ids = new Set(trace.map(({ spanId }) => spanId));
    const orphans = trace.filter(({ parentSpanId }) => parentSpanId !== '' && !ids.has(parentSpanId));
    expect(orphans).toEqual([]);
  });
});
