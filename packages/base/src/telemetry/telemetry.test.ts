import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import { LeaseLost, ProcessEnds, RetryLater } from '../errors/errors.ts';
import { createLog, runInContext } from '../log/log.ts';
import {
  contextFromTraceparent,
  currentTraceparent,
  startTelemetry,
  type Telemetry,
  withSpan,
  withSpans,
} from './telemetry.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

/** Spans that the exporter sends at once, without waiting for more. */
const FULL_BATCH = 512;

const running: Telemetry[] = [];
const start = async (service: string) => {
  const exporter = new InMemorySpanExporter();
  const telemetry = await startTelemetry({ service, exporter });
  running.push(telemetry);
  return { telemetry, spans: () => exporter.getFinishedSpans() };
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((telemetry) => telemetry.stop()));
});

describe('withSpan', () => {
  it('joins the trace of the caller and hands its own span on', async () => {
    const { spans } = await start('search');
    const handedOn = await withSpan('answer search-page', { kind: 'server', traceparent }, () =>
      withSpan('inner', {}, () => currentTraceparent()),
    );
    const [inner, outer] = spans();
    expect(outer).toMatchObject({
      name: 'answer search-page',
      parentSpanContext: { spanId: 'b7ad6b7169203331' },
    });
    expect(inner?.spanContext().traceId).toBe(traceId);
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
    expect(handedOn).toBe(`00-${traceId}-${inner?.spanContext().spanId}-01`);
  });

  it('services that share a process keep their own names in one trace', async () => {
    const gateway = await start('gateway');
    const ledger = await start('credits-ledger');
    await withSpan('GET /v1', { service: 'gateway' }, () =>
      withSpan('reserve-credits', { service: 'credits-ledger', traceparent: currentTraceparent() }, () =>
        withSpan('postgres SELECT', {}, () => {}),
      ),
    );
    expect(gateway.spans().map((span) => span.name)).toEqual(['GET /v1']);
    expect(ledger.spans().map((span) => span.name)).toEqual(['postgres SELECT', 'reserve-credits']);
    const all = [...gateway.spans(), ...ledger.spans()];
    expect(new Set(all.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(all.map((span) => span.resource.attributes['service.name'])).toEqual([
      'gateway',
      'credits-ledger',
      'credits-ledger',
    ]);
  });

  it('a failure is thrown on and marked, without the secrets of its message', async () => {
    const { spans } = await start('search');
    const secretText = 'svc_live_abcdefghijklmnop';
    const failing = withSpan('x', { attributes: { key: secretText } }, () => {
      throw new Error(`no account for ${secretText}`);
    });
    await expect(failing).rejects.toThrow(secretText);
    expect(spans()[0]).toMatchObject({ status: { code: 2, message: 'no account for svc_live_[redacted]' } });
    expect(JSON.stringify([spans()[0]?.events, spans()[0]?.attributes])).not.toContain(secretText);
  });

  it.each([
    serviceError('job_not_found'),
    new LeaseLost('t1'),
    new ProcessEnds(),
    new RetryLater(1, 'the platform asks to wait'),
  ])('a refusal, and work that is put off or handed back, is no failure: %s', async (outcome) => {
    const { spans } = await start('search');
    await expect(withSpan('x', {}, () => Promise.reject(outcome))).rejects.toBe(outcome);
    const [span] = spans();
    expect([span?.status.code, span?.events]).toEqual([0, []]);
    expect(span?.attributes['tds.refusal']).toBe('code' in outcome ? outcome.code : undefined);
  });

  it('without an exporter work runs as it is, and the traceparent of the message in hand is handed on', async () => {
    const telemetry = await startTelemetry({ service: 'search' });
    expect(telemetry.isTracing).toBe(false);
    const seen = await runInContext({ traceparent }, () =>
      withSpan('x', {}, (span) => [span.isRecording(), currentTraceparent()]),
    );
    expect(seen).toEqual([false, traceparent]);
  });

  it.each([
    '',
    'x',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `${traceparent}-more`,
    traceparent.toUpperCase(),
  ])('the malformed traceparent %j starts a new trace', async (malformed) => {
    const { spans } = await start('search');
    await withSpan('x', { traceparent: malformed }, () => {});
    expect(spans()[0]?.parentSpanContext).toBeUndefined();
    expect(contextFromTraceparent(malformed)).toBe(contextFromTraceparent(undefined));
  });

  it('a caller that decided against sampling is followed', async () => {
    const { spans } = await start('search');
    await withSpan('x', { traceparent: traceparent.replace(/01$/, '00') }, () => {
      expect(currentTraceparent()).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    });
    expect(spans()).toEqual([]);
  });
});

describe('the OTLP exporter', () => {
  it('spans reach the collector, the last ones when the service stops', async () => {
    const bodies: string[] = [];
    const collector = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text) => bodies.push(`${request.url} ${text}`));
      request.on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    const telemetry = await startTelemetry({ service: 'search', otlpEndpoint: `http://127.0.0.1:${port}` });
    await withSpan('answer search-page', {}, () => {});
    await telemetry.stop();
    collector.close();
    expect(bodies.join('')).toMatch(/^\/v1\/traces .*answer search-page/s);
  });

  it('a collector that refuses is one line of the log, and one more when it takes spans again', async () => {
    let status = 400;
    let batches = 0;
    const collector = createServer((request, response) => {
      request.resume().on('end', () => {
        batches += 1;
        response.writeHead(status).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line).msg) };
    const log = createLog({ service: 'search', destination });
    const otlpEndpoint = `http://127.0.0.1:${port}`;
    running.push(await startTelemetry({ service: 'search', log, otlpEndpoint }));
    for (const next of [400, 400, 200, 200]) {
      status = next;
      const before = batches;
      await Promise.all(Array.from({ length: FULL_BATCH }, () => withSpan('x', {}, () => {})));
      await eventually(() => expect(batches).toBeGreaterThan(before), { withinMs: 15_000 });
    }
    const said = ['collector of traces is away: spans are lost', 'collector of traces is back'];
    await eventually(() => expect(lines).toEqual(said));
    collector.close();
  });

  it('a collector that is away fails no work, and no timer of it outlives the stop', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    const telemetry = await startTelemetry({ service: 'search', otlpEndpoint: 'http://127.0.0.1:9' });
    expect(await withSpan('x', {}, () => 7)).toBe(7);
    await telemetry.stop();
    // Others in this process have timers, too, which come and go; those of an exporter that tries again would stay.
    await eventually(() => expect(timers()).toBeLessThanOrEqual(before), { withinMs: 2_000 });
  });
});

describe('withSpans', () => {
  it('gives each method a span of its own, with what it answers and throws as it is', async () => {
    const { spans } = await start('search');
    const ask = withSpans('platform', {
      lookUpVideo: async (id: string) => `found ${id}`,
      close: () => Promise.reject(new Error('not now')),
    });
    expect(await ask.lookUpVideo('x')).toBe('found x');
    await expect(ask.close()).rejects.toThrow('not now');
    expect(spans().map(({ name }) => name)).toEqual(['platform look-up-video', 'platform close']);
  });
});
