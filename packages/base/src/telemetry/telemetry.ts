import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { wireNameOf } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { withDeadline } from '../async/deadline.ts';
import { isFailure } from '../errors/errors.ts';
import { currentContext, type Log } from '../log/log.ts';
import { redactText } from '../log/redact.ts';

const STOP_TIMEOUT_MS = 3_000;

export type SpanOptions = {
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
  /** The caller's W3C traceparent; without it the span goes below the active one. */
  readonly traceparent?: string | undefined;
  /** Whose span it is; without it that of the active span. Matters only if services share a process. */
  readonly service?: string | undefined;
};

export type Telemetry = {
  /** False if nothing is exported; spans then cost next to nothing. */
  readonly isTracing: boolean;
  /** Sends the remaining spans, within 3 s. */
  stop(): Promise<void>;
};

// Per process, like OpenTelemetry's own context: services that share a process each have a tracer of their own, with a
// resource of their own, and spans of several services join in one trace.
const tracers = new Map<string, Tracer>();
const serviceKey = createContextKey('tds.service');

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const noSpan = trace.wrapSpanContext({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 });

/** Starts traces of one service; without an endpoint nothing is loaded, kept or sent. */
export const startTelemetry = async (options: {
  service: string;
  /** Base URL of an OTLP/HTTP collector, such as http://collector:4318. */
  otlpEndpoint?: string | undefined;
  exporter?: SpanExporter | undefined;
  log?: Log | undefined;
}): Promise<Telemetry> => {
  const { service, otlpEndpoint, exporter, log } = options;
  const exportTo = exporter ? { exporter } : otlpEndpoint ? { otlpEndpoint } : null;
  if (!exportTo) return { isTracing: false, stop: async () => {} };
  const { createTracerProvider } = await import('./provider.ts');
  const provider = createTracerProvider({ service, exportTo, log });
  const tracer = provider.getTracer('@tds/base');
  tracers.set(service, tracer);
  return {
    isTracing: true,
    stop: async () => {
      if (tracers.get(service) === tracer) tracers.delete(service);
      // An unreachable collector must not delay the end of the process; its spans are lost.
      await withDeadline(provider.shutdown(), STOP_TIMEOUT_MS).catch(() => {});
    },
  };
};

/** Whether this process keeps spans at all. */
export const isTracing = (): boolean => tracers.size > 0;

/** Whether a span started here would be recorded and has a parent. */
export const isInsideTrace = (): boolean => tracers.size > 0 && trace.getActiveSpan() !== undefined;

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A context below the remote span; the root if the header is absent or malformed. */
export const contextFromTraceparent = (traceparent: string | undefined): Context => {
  const [, traceId, spanId, flags] = traceparentPattern.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};

/** The headers to send with a message; without an own span, those of the current message. */
export const currentTraceparent = (): string | undefined => {
  const span = tracers.size > 0 ? trace.getActiveSpan()?.spanContext() : undefined;
  if (!span) return currentContext()?.traceparent;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
};

/** Notes on a span how it failed; text only, for spans leave the house like log lines do. */
export const failSpan = (span: Span, thrown: unknown): void => {
  const { name, message, stack } = Error.isError(thrown) ? thrown : new Error(String(thrown));
  const safe = redactText(message);
  span.recordException({ name, message: safe, ...(stack === undefined ? {} : { stack: redactText(stack) }) });
  span.setStatus({ code: SpanStatusCode.ERROR, message: safe });
};

const safeAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? redactText(value) : value,
    ]),
  );

/** Starts a span of the right service; null if nothing is traced. The caller ends it. */
export const startSpan = (name: string, options: SpanOptions): { span: Span; below: Context } | null => {
  const parent =
    options.traceparent === undefined ? context.active() : contextFromTraceparent(options.traceparent);
  const service = options.service ?? (context.active().getValue(serviceKey) as string | undefined);
  const tracer = service === undefined ? tracers.values().next().value : tracers.get(service);
  if (!tracer) return null;
  const attributes = safeAttributes(options.attributes ?? {});
  const span = tracer.startSpan(name, { kind: kinds[options.kind ?? 'internal'], attributes }, parent);
  return { span, below: trace.setSpan(parent, span).setValue(serviceKey, service) };
};

/** Runs `fn` inside a span that ends with it and records whether it failed. A refusal is an outcome, and has its name. */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  fn: (span: Span) => T | Promise<T>,
): Promise<T> {
  const spanStart = tracers.size > 0 ? startSpan(name, options) : null;
  if (!spanStart) return fn(noSpan);
  const { span, below } = spanStart;
  try {
    return await context.with(below, fn, undefined, span);
  } catch (error) {
    if (isFailure(error)) failSpan(span, error);
    else if (error instanceof ServiceError) span.setAttribute('tds.refusal', error.code);
    throw error;
  } finally {
    span.end();
  }
}

type Method = (...args: never[]) => Promise<unknown>;

/** The same methods, each inside a span of its own: `<prefix> look-up-video`. */
export const withSpans = <T extends { readonly [Name in keyof T]: Method }>(prefix: string, target: T): T =>
  Object.fromEntries(
    Object.entries<Method>(target).map(([name, method]) => {
      const spanName = `${prefix} ${wireNameOf(name)}`;
      return [
        name,
        (...args: never[]) => withSpan(spanName, { kind: 'client' }, () => method.apply(target, args)),
      ];
    }),
  ) as T;
