import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export type CollectedSpan = {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly hasFailed: boolean;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
};

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };

type OtlpSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number };
  readonly attributes?: readonly Attribute[];
};

/** `STATUS_CODE_ERROR` of OTLP. */
const FAILED = 2;

type Otlp = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
};

const flattenSpans = ({ resourceSpans }: Otlp): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId = '', status, attributes = [] }) => ({
        service,
        name,
        traceId,
        spanId,
        parentSpanId,
        hasFailed: status?.code === FAILED,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
        ),
      })),
    );
  });

/** An OTLP/HTTP collector in memory. */
export async function startTraceCollector() {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, response) => {
    spans.push(...flattenSpans((await json(request)) as Otlp));
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
