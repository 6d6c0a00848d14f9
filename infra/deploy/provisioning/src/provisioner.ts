import type { JetStreamManager } from '@nats-io/jetstream';
import { failureFields, unlessAborted } from '@tds/base';
import { createBackoff, createLog, type LogLevel, pauseFor } from '@tds/base/internals';
import type { Surface } from '@tds/contracts';
import {
  connectBus,
  ensureStream,
  listStreams,
  PROVISIONER,
  readStreamLimits,
  type StreamDefinition,
  StreamFailure,
  streamDeleted,
} from '@tds/messaging/internals';

type ProvisionerOptions = {
  readonly url: string;
  /** Of the one user who may make streams, if the broker knows its users. */
  readonly nkeySeed?: string | undefined;
  readonly surfaces: readonly Surface[];
  /** The variables with the streams' limits. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Others report an absent broker. */
  readonly logLevel?: LogLevel;
  /** Ends the wait for the broker and the first streams. */
  readonly signal?: AbortSignal | undefined;
};

export type Provisioner = { stop(): Promise<void> };

/** The broker announces deleted streams; an announcement may be missed. */
const POLL_MS = 60_000;
/** Attempts in a row: a broker that has just come back, or is busy, takes a moment. */
const FAILURES_TO_LOG = 5;

/** Tries every stream, whatever the broker refuses of others, until it does not answer. Resolves to the failures. */
const ensureStreams = async (
  manager: JetStreamManager,
  streams: readonly StreamDefinition[],
): Promise<readonly unknown[]> => {
  const failures: unknown[] = [];
  for (const stream of streams)
    try {
      await ensureStream(manager, stream);
    } catch (error) {
      failures.push(error);
      if (!(error instanceof StreamFailure)) break;
    }
  return failures;
};

const isThere = (failure: unknown): boolean => failure instanceof StreamFailure && failure.exists;

/**
 * Makes the streams of all services, which may make none themselves: at the start, after each reconnection (a broker may come
 * back wiped), when one was deleted, and now and then. Resolves when all are there for the first time, if need be with the
 * limits of before.
 */
export const startProvisioner = async ({
  surfaces,
  environment = {},
  logLevel = 'error',
  signal = new AbortController().signal,
  ...broker
}: ProvisionerOptions): Promise<Provisioner> => {
  const limits = readStreamLimits(PROVISIONER, environment);
  const streams = surfaces.flatMap((surface) => listStreams(surface, limits));
  const log = createLog({ service: PROVISIONER, level: logLevel });
  const bus = await connectBus({ service: PROVISIONER, log, ...broker }, signal);
  const manager = await bus.jetstream.jetstreamManager(false);
  const stopping = new AbortController();
  const backoff = createBackoff({ firstMs: 50, maxMs: 1_000 });
  const first = Promise.withResolvers<void>();
  let failedRounds = 0;
  let wakeSignal = new AbortController();
  const wake = () => wakeSignal.abort();
  const forget = bus.onConnect(wake);
  bus.connection.subscribe(streamDeleted('*'), { callback: wake });
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await bus.whenConnected(stopping.signal);
      wakeSignal = new AbortController();
      const failures = await ensureStreams(manager, streams);
      if (failures.every(isThere)) first.resolve();
      failedRounds = failures.length === 0 ? 0 : failedRounds + 1;
      if (failedRounds === FAILURES_TO_LOG)
        for (const failure of failures) log.error('the broker refuses a stream', failureFields(failure));
      if (failedRounds === 0) backoff.reset();
      if (failures.every(isThere) && (failedRounds === 0 || failedRounds >= FAILURES_TO_LOG))
        await pauseFor(POLL_MS, AbortSignal.any([wakeSignal.signal, stopping.signal]));
      else await backoff.pause(stopping.signal);
    }
  };
  const running = run();
  const stop = async () => {
    forget();
    stopping.abort();
    await running.catch(() => {}); // It waited for the broker.
    await bus.close();
  };
  await unlessAborted(first.promise, signal).catch(async (error) => {
    await stop();
    throw error;
  });
  return { stop };
};
