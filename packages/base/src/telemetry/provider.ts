import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  SimpleSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** Less than a stop waits for: the exporter's timers would keep the process for as long as it tries. */
const EXPORT_TIMEOUT_MS = 2_500;
const MAX_ATTRIBUTE_LENGTH = 2_048;

type ProviderOptions = {
  readonly service: string;
  readonly exportTo: { readonly otlpEndpoint: string } | { readonly exporter: SpanExporter };
};

const processorFor = (exportTo: ProviderOptions['exportTo']) =>
  'exporter' in exportTo
    ? new SimpleSpanProcessor({ exporter: exportTo.exporter })
    : new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${exportTo.otlpEndpoint}/v1/traces`,
          timeoutMillis: EXPORT_TIMEOUT_MS,
        }),
      });

/** A provider of one service; loaded only if traces are exported, for the SDK costs time to start. */
export const createProvider = ({ service, exportTo }: ProviderOptions): TracerProvider => {
  // The first service of the process sets it; further calls change nothing.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'tds' }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    spanProcessors: [processorFor(exportTo)],
  });
};
