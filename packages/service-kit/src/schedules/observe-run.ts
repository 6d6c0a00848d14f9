import { randomUUID } from 'node:crypto';
import { observe } from '../runtime/observe.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Context } from '../runtime/service.ts';

export type ScheduleHandler = (context: Context) => Promise<void>;
export type ScheduleHandlers = Readonly<Record<string, ScheduleHandler>>;

type Run = { readonly name: string; readonly handler: ScheduleHandler; readonly signal: AbortSignal };

/** One run of a schedule: a request of its own, with its span and its wide record. */
export const observeRun = ({ service, log }: Runtime, { name, handler, signal }: Run): Promise<void> => {
  const messageContext = { requestId: randomUUID(), accountId: null, traceparent: undefined };
  const { requestId, accountId } = messageContext;
  return observe({ kind: 'schedule', name, service, messageContext, span: 'internal', log }, async (record) =>
    handler({ requestId, accountId, signal, record }),
  );
};
