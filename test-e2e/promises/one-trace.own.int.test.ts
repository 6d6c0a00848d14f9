import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@tds/local';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  fileVideo,
  postJson,
  shareTestSystem,
  signUp,
  startTraceCollector,
  type TestSystem,
} from '#support/testing';

const SEED = 1;

let collector: Awaited<ReturnType<typeof startTraceCollector>>;
let system: TestSystem;
let customer: Customer;
beforeAll(async () => {
  collector = await startTraceCollector();
  system = await shareTestSystem();
  await system.restartServices(serviceNames, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  customer = await signUp(system);
});
afterAll(async () => {
  await system?.stop();
  await collector?.stop();
});

/** Everything that one request of a route has set off, once it holds these steps: as `<service>: <what>`. */
const traceOf = (route: string, ...steps: string[]) =>
  eventually(() => {
    const roots = collector.spans.filter(({ name }) => name === route);
    const traces = roots.map((root) => {
      const trace = collector.spans.filter(({ traceId }) => traceId === root.traceId);
      return { trace, steps: trace.map(({ service, name }) => `${service}: ${name}`) };
    });
    const found = traces.find((each) => steps.every((step) => each.steps.includes(step)));
    if (found) return found;
    throw new Error(`no trace of ${route} has it all: ${JSON.stringify(traces.map((each) => each.steps))}`);
  });

const hasNoOrphans = ({ trace }: Awaited<ReturnType<typeof traceOf>>) => {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  expect(trace.filter(({ parentSpanId }) => parentSpanId !== '' && !ids.has(parentSpanId))).toEqual([]);
};

describe('one trace', () => {
  it('shows a cold transcript across gateway, bus, fetcher, ledger, Postgres and platform', async () => {
    await customer.get(`/v1/transcript?video_id=${fileVideo(1)}`);
    const found = await traceOf(
      'GET /v1/transcript',
      'gateway: call get-transcript',
      'transcript-fetcher: get-transcript',
      'transcript-fetcher: call reserve-items',
      'credits-ledger: reserve-items',
      'transcript-fetcher: platform inspect-video',
      'transcript-fetcher: platform fetch-track',
      'transcript-fetcher: call resolve-items',
      'credits-ledger: resolve-items',
    );
    expect(found.steps.some((step) => /^credits-ledger: postgres /.test(step))).toBe(true);
    hasNoOrphans(found);
  });

  it('shows a listing across gateway, bus, the task that makes it, Postgres and platform', async () => {
    await customer.get(`/v1/videos?url=${channelAt(2, SEED)?.id}`);
    const found = await traceOf(
      'GET /v1/videos',
      'gateway: call list-videos',
      'search: list-videos',
      'search: make-listing',
      'search: platform list-page',
    );
    expect(found.steps.some((step) => /^search: postgres /.test(step))).toBe(true);
    hasNoOrphans(found);
  });

  it('of a refusal has its status, route and request id, and no failure: a collector forwards failures', async () => {
    const { headers, status } = await customer.get('/v1/transcript?video_id=noCaptions1');
    expect(status).toBe(404);
    const { trace } = await eventually(() => {
      const id = headers.get('x-request-id');
      const root = collector.spans.find(({ attributes }) => attributes['tds.request_id'] === id);
      if (!root) throw new Error(`no span of the request ${id}`);
      const spans = collector.spans.filter(({ traceId }) => traceId === root.traceId);
      expect(root.attributes).toMatchObject({
        'http.request.method': 'GET',
        'http.route': '/v1/transcript',
        'http.response.status_code': 404,
      });
      expect(spans.map(({ name }) => name)).toContain('get-transcript');
      return { trace: spans };
    });
    expect(trace.filter(({ hasFailed }) => hasFailed).map(({ name }) => name)).toEqual([]);
    expect(trace.map(({ attributes }) => attributes['tds.refusal'])).toContain('no_captions');
  });

  it('shows a payment from the processor’s call over the task that settles it to the event that others hear', async () => {
    const headers = bearer(customer.key);
    const opened = await postJson(`${system.gateway}/v1/checkout`, { block: 20 }, headers);
    await call(opened.json<{ checkout_url: string }>().checkout_url, { method: 'POST' });
    const found = await traceOf(
      'POST /v1/billing/payment',
      'billing: receive-payment-event',
      'billing: grant-purchases',
      'billing: call grant-purchases',
      'credits-ledger: grant-purchases',
      'identity: customer-changed',
    );
    hasNoOrphans(found);
  });
});
