import { failureFields } from '@tds/base';
import { createBackoff, createLog, type LogLevel, pauseFor } from '@tds/base/internals';
import type { Surface } from '@tds/contracts';
import {
  connectBus,
  ensureStream,
  listStreams,
  PROVISIONER,
  readStreamLimits,
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
};

export type Provisioner = { stop(): Promise<void> };

/** The broker announces deleted streams; an announcement may be missed. */
const POLL_MS = 60_000;
/** Attempts in a row: a broker that has just come back, or is busy, takes a moment. */
const FAILURES_TO_LOG = 5;

/**
 * Makes the streams of all services, which may make none themselves: at the start, after each reconnection (a broker may come
 * back wiped), when one was deleted, and now and then. Resolves when they are there for the first time.
 */
export const startProvisioner = async ({
  surfaces,
  environment = {},
  logLevel = 'error',
  ...broker
}: ProvisionerOptions): Promise<Provisioner> => {
  const limits = readStreamLimits(PROVISIONER, environment);
  const streams = surfaces.flatMap((surface) => listStreams(surface, limits));
  const log = createLog({ service: PROVISIONER, level: logLevel });
  const bus = await connectBus({ service: PROVISIONER, log, ...broker });
  const manager = await bus.jetstream.jetstreamManager(false);
  const stopping = new AbortController();
  const backoff = createBackoff({ firstMs: 50, maxMs: 1_000 });
  const first = Promise.withResolvers<void>();
  let failures = 0;
  let wakeSignal = new AbortController();
  const wake = () => wakeSignal.abort();
  const forget = bus.onConnect(wake);
  bus.connection.subscribe(streamDeleted('*'), { callback: wake });
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await bus.whenConnected(stopping.signal);
        wakeSignal = new AbortController();
        for (const stream of streams) await ensureStream(manager, stream);
        first.resolve();
        failures = 0;
        backoff.reset();
        await pauseFor(POLL_MS, AbortSignal.any([wakeSignal.signal, stopping.signal]));
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        if (failures === FAILURES_TO_LOG) log.error('the streams cannot be made', failureFields(error));
        await backoff.pause(stopping.signal);
      }
    }
  };
  const running = run();
  await first.promise;
  return {
    stop: async () => {
      forget();
      stopping.abort();
      await running;
      await bus.close();
    },
  };
};
