import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import { redact, redactText } from './redact.ts';

export type LogLevel = 'info' | 'warn' | 'error' | 'silent';
type Fields = Record<string, unknown>;

/** JSON lines. All values are redacted; errors keep their stack and their chain of causes. */
export type Log = {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  /** An error goes in as a field: `log.error('relay stopped', { error })`. */
  error(message: string, fields?: Fields): void;
  /** Returns a log that adds these fields to every line. */
  child(fields: Fields): Log;
};

/** Collects fields for the line that is written when a message has been handled. */
export type WideRecord = { add(fields: Fields): void };

/** The ids that every line written inside `runInContext` carries, and the name of the command, task, event or schedule that is handled. */
type LogContext = {
  readonly handling?: string | undefined;
  readonly requestId?: string | undefined;
  readonly accountId?: string | null | undefined;
  readonly traceparent?: string | undefined;
};

export type RecordFields = Fields & {
  readonly kind: 'command' | 'task' | 'event' | 'http' | 'schedule';
  readonly name: string;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly durationMs: number;
  /** An unexpected error. Makes the line an error unless `level` is given. */
  readonly error?: unknown;
  readonly level?: Exclude<LogLevel, 'silent'>;
};

// One per process by its nature: it follows the chain of calls, not an instance.
const contexts = new AsyncLocalStorage<LogContext>();

export function runInContext<T>(context: LogContext, fn: () => T): T {
  return contexts.run(context, fn);
}

export const currentContext = (): LogContext | undefined => contexts.getStore();

const ownNames = new Set(['level', 'time', 'service', 'msg']);

/** Fields cannot replace the log's own fields. */
const withoutOwnNames = (fields: Fields): Fields =>
  Object.keys(fields).some((name) => ownNames.has(name))
    ? Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [ownNames.has(name) ? `${name}_` : name, value]),
      )
    : fields;

const contextFields = (): Fields => {
  const context = currentContext();
  if (!context) return {};
  return {
    ...(context.requestId === undefined ? {} : { requestId: context.requestId }),
    ...(context.accountId == null ? {} : { accountId: context.accountId }),
    // version-traceId-spanId-flags
    ...(context.traceparent === undefined ? {} : { traceId: context.traceparent.split('-')[1] }),
  };
};

/** A log on standard output, or on `destination`. Lines are written at once, so none is lost in a crash. */
export const createLog = (options: {
  service: string;
  level?: LogLevel | undefined;
  destination?: DestinationStream | undefined;
}): Log => {
  const { service, level = 'info', destination } = options;
  const sink = pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors are plain values by now.
      serializers: { err: (value) => value },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
  const logWith = (boundFields: Fields): Log => {
    const write = (at: 'info' | 'warn' | 'error') => (message: string, fields?: Fields) => {
      if (!sink.isLevelEnabled(at)) return;
      const all = { ...boundFields, ...(fields && withoutOwnNames(fields)), ...contextFields() };
      sink[at](redact(all), redactText(message));
    };
    return {
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      child: (fields) => logWith({ ...boundFields, ...withoutOwnNames(fields) }),
    };
  };
  return logWith({});
};

export const createWideRecord = (): WideRecord & { readonly fields: Fields } => {
  const fields: Fields = {};
  return { fields, add: (added) => void Object.assign(fields, added) };
};

/** The line per message: its name, outcome, duration, and the fields of the handler. */
export const writeRecord = (log: Log, { level, ...record }: RecordFields): void =>
  log[level ?? (record.error === undefined ? 'info' : 'error')](`${record.kind} ${record.name}`, record);
