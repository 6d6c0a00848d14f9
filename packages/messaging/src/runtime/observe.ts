import { LeaseLost, type Log, RetryLater, reasonText, toServiceError, withSpan, writeRecord } from '@tds/base';
import {
  createWideRecord,
  ProcessEnds,
  type RecordFields,
  runInContext,
  type SpanOptions,
  type WideRecord,
} from '@tds/base/internals';
import { SECOND_MS } from '@tds/contracts';
import type { MessageContext } from '../broker/message-headers.ts';

type ObserveOptions = {
  readonly kind: RecordFields['kind'];
  readonly name: string;
  readonly service: string;
  readonly messageContext: MessageContext;
  readonly span: NonNullable<SpanOptions['kind']>;
  readonly log: Log;
  /** Called with how it ended: `ok` or the code of the error. */
  readonly onEnd?: (outcome: string, seconds: number) => void;
};

type Ending = Pick<RecordFields, 'outcome' | 'error' | 'level'> & { readonly reason?: string };

/** Expected errors are an outcome with a one-line reason; unexpected errors are logged in full. */
const toEnding = (thrown: unknown): Ending => {
  if (thrown instanceof LeaseLost) return { outcome: 'lease_lost', level: 'warn' };
  if (thrown instanceof ProcessEnds) return { outcome: 'handed_back' };
  if (thrown instanceof RetryLater) return { outcome: 'retry_later', level: 'warn', reason: thrown.message };
  const error = toServiceError(thrown);
  const outcome = error.code;
  if (outcome === 'unexpected_error') return { outcome, level: 'error', error: error.cause ?? error };
  return error.cause === undefined ? { outcome } : { outcome, level: 'warn', reason: reasonText(error.cause) };
};

/** Runs the handling of one message with its ids, its span and its one wide record. */
export async function observe<T>(
  { kind, name, service, messageContext, span, log, onEnd }: ObserveOptions,
  work: (record: WideRecord) => Promise<T>,
): Promise<T> {
  const record = createWideRecord();
  const start = performance.now();
  const end = (fields: Ending) => {
    const durationMs = performance.now() - start;
    onEnd?.(fields.outcome, durationMs / SECOND_MS);
    writeRecord(log, {
      ...record.fields,
      kind,
      name,
      ...fields,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
    });
  };
  const spanOptions = {
    kind: span,
    traceparent: messageContext.traceparent,
    service,
    attributes: { 'tds.kind': kind },
  };
  return runInContext({ ...messageContext, handling: name }, async () => {
    try {
      const result = await withSpan(name, spanOptions, () => work(record));
      end({ outcome: 'ok' });
      return result;
    } catch (thrown) {
      end(toEnding(thrown));
      throw thrown;
    }
  });
}
