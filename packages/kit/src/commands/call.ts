import { type Msg, RequestError } from '@nats-io/nats-core';
import { remainingMs, withSpan } from '@tds/base';
import { BROKER_WAIT_MS, type Command, type Surface } from '@tds/contracts';
import { ServiceError, serviceError, serviceErrorData } from '@tds/errors';
import type { Bus, Runtime } from '@tds/messaging/internals';
import { commandHeaders, currentMessageContext } from '@tds/messaging/internals';
import type { Call, CallContext } from '../service.ts';
import { createRequests, type Requests } from './requests.ts';

/** Whether a request ended because no instance receives the command. */
const isWithoutReceiver = (cause: unknown): boolean => cause instanceof RequestError && cause.isNoResponders();

/** Whether a call failed before any work for it began. Of any other failure the outcome is unknown. */
export const hasBegunNothing = ({ data }: ServiceError): boolean => data.nothingBegun === true;

const RETRY_AFTER_SECONDS = 1;

const unavailable = (cause: unknown, wasSent: boolean): ServiceError =>
  serviceError('service_unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(wasSent && !isWithoutReceiver(cause) ? {} : { nothingBegun: true }),
    cause,
  });

/** The callee's error as the class that it was there. */
const toCallError = (reply: Msg): ServiceError => {
  const parsed = serviceErrorData.safeParse(reply.json());
  return parsed.success
    ? new ServiceError(parsed.data)
    : serviceError('unexpected_error', { cause: new Error(`unreadable error from ${reply.subject}`) });
};

const waitForBroker = async (bus: Bus, signal: AbortSignal): Promise<void> => {
  if (bus.isConnected()) return;
  await bus.whenConnected(AbortSignal.any([signal, AbortSignal.timeout(BROKER_WAIT_MS)]));
};

/** Sends one request. A missing answer is `service_unavailable`; if the request was sent, its outcome is unknown. */
const request = async (
  { bus, requests }: { bus: Bus; requests: Requests },
  { command, body, context }: { command: Command; body: string; context: CallContext },
): Promise<Msg> => {
  const { requestId, accountId, signal } = context;
  let wasSent = false;
  try {
    const startedAt = performance.now();
    const budgetMs = Math.min(command.timeoutMs, remainingMs(signal));
    signal.throwIfAborted();
    await waitForBroker(bus, signal);
    const timeoutMs = Math.max(1, budgetMs - (performance.now() - startedAt));
    const { traceparent } = currentMessageContext();
    const headers = (deadlineMs: number) => commandHeaders({ requestId, accountId, traceparent }, deadlineMs);
    wasSent = true;
    return await requests({ command, body, headers, timeoutMs, signal });
  } catch (error) {
    throw unavailable(error, wasSent);
  }
};

/** The client side of commands: finds an instance, waits within the deadline, throws the callee's own errors. */
export const createCall = <S extends Surface>({ bus, service, metrics }: Runtime): Call<S> => {
  const parts = { bus, requests: createRequests(bus, service) };
  const send = async (command: Command, input: unknown, context: CallContext): Promise<unknown> => {
    const body = JSON.stringify(input);
    const reply = await withSpan(`call ${command.wireName}`, { kind: 'client', service }, async () => {
      const answer = await request(parts, { command, body, context });
      if (answer.headers?.has('Nats-Service-Error-Code')) throw toCallError(answer);
      return answer;
    });
    return reply.json();
  };
  const measuredCall = async (command: Command, input: unknown, context: CallContext): Promise<unknown> => {
    const end = metrics.callDuration.startTimer({ name: command.wireName });
    try {
      const result = await send(command, input, context);
      end({ outcome: 'ok' });
      return result;
    } catch (error) {
      end({ outcome: error instanceof ServiceError ? error.code : 'unexpected_error' });
      throw error;
    }
  };
  // The callee has parsed its reply by the contract; nothing is validated twice.
  return measuredCall as Call<S>;
};
