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
import type { Log } from '../log/log.ts';

/** Less than a stop waits for: the exporter's timers would keep the process for as long as it tries. */
const EXPORT_TIMEOUT_MS = 2_500;
const MAX_ATTRIBUTE_LENGTH = 2_048;

type ProviderOptions = {
  readonly service: string;
  readonly log: Log | undefined;
  readonly exportTo: { readonly otlpEndpoint: string } | { readonly exporter: SpanExporter };
};

/** `ExportResultCode.SUCCESS` of OpenTelemetry's core. */
const SUCCESS = 0;

/** One line when the collector goes and one when it is back, however many batches of spans are lost in between. */
const logOutages = (exporter: SpanExporter, log: Log): SpanExporter => {
  let isAway = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, onResult) =>
    send(spans, (result) => {
      const { code, error } = result;
      const wasAway = isAway;
      isAway = code !== SUCCESS;
      if (isAway && !wasAway) log.warn('collector of traces is away: spans are lost', { error });
      if (wasAway && !isAway) log.info('collector of traces is back');
      onResult(result);
    });
  return exporter;
};

const processorFor = ({ exportTo, log }: ProviderOptions) => {
  if ('exporter' in exportTo) return new SimpleSpanProcessor({ exporter: exportTo.exporter });
  const url = `${exportTo.otlpEndpoint}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS });
  return new BatchSpanProcessor({ exporter: log ? logOutages(exporter, log) : exporter });
};

/** A provider of one service; loaded only if traces are exported, for the SDK costs time to start. */
export const createTracerProvider = (options: ProviderOptions): TracerProvider => {
  // The first service of the process sets it; further calls change nothing.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.service, 'service.namespace': 'tds' }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    spanProcessors: [processorFor(options)],
  });
};
