import { LeaseLost } from '../errors/lease-lost.ts';
import { toWireError } from '../errors/wire-error.ts';
import {
  createWideRecord,
  type Log,
  type RecordFields,
  runInContext,
  type WideRecord,
  writeRecord,
} from '../log/log.ts';
import type { Travelling } from '../messaging/travelling.ts';
import { type SpanOptions, withSpan } from '../telemetry/telemetry.ts';

export type Observed = {
  readonly kind: RecordFields['kind'];
  readonly name: string;
  readonly service: string;
  readonly travelling: Travelling;
  readonly span: NonNullable<SpanOptions['kind']>;
  readonly log: Log;
  /** Told how it ended: `ok` or the code of the error. */
  readonly onEnd?: (outcome: string, seconds: number) => void;
};

const MS = 1_000;

/** Expected errors are an outcome; what nobody foresaw is shown whole. */
const failureFields = (thrown: unknown): Pick<RecordFields, 'outcome' | 'error' | 'level'> => {
  if (thrown instanceof LeaseLost) return { outcome: 'lease_lost', level: 'warn' };
  const error = toWireError(thrown);
  if (error.code === 'unexpected_error') return { outcome: error.code, error: error.cause ?? error };
  return error.cause === undefined
    ? { outcome: error.code }
    : { outcome: error.code, error: error.cause, level: 'warn' };
};

/** Runs the handling of one message with its ids, its span and its one wide record. */
export async function observe<T>(
  { kind, name, service, travelling, span, log, onEnd }: Observed,
  work: (record: WideRecord) => Promise<T>,
): Promise<T> {
  const record = createWideRecord();
  const start = performance.now();
  const end = (fields: Pick<RecordFields, 'outcome' | 'error' | 'level'>) => {
    const durationMs = performance.now() - start;
    onEnd?.(fields.outcome, durationMs / MS);
    writeRecord(log, {
      ...record.fields,
      kind,
      name,
      ...fields,
      durationMs: Math.round(durationMs * MS) / MS,
    });
  };
  const traced = {
    kind: span,
    traceparent: travelling.traceparent,
    service,
    attributes: { 'tds.kind': kind },
  };
  return runInContext(travelling, async () => {
    try {
      const result = await withSpan(name, traced, () => work(record));
      end({ outcome: 'ok' });
      return result;
    } catch (thrown) {
      end(failureFields(thrown));
      throw thrown;
    }
  });
}
