import { JetStreamApiError } from '@nats-io/jetstream';
import { reasonText } from '@tds/base';
import { eventStreamName } from '../broker/streams.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** The stream is at its limit; the server, the account or its disk are. */
const NO_ROOM = new Set([10_077, 10_047, 10_028, 10_023, 10_002]);

/** Whether an event was refused because nothing more fits, which is not the event's fault and passes by itself. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof JetStreamApiError && NO_ROOM.has(error.code);

/** Remembers whether the service's stream takes events; says once that it does not, and once that it does again. */
export const createStreamRoom = ({ metrics, log }: Pick<Runtime, 'metrics' | 'log'>) => {
  let isFull = false;
  const set = (full: boolean) => {
    isFull = full;
    metrics.streamFull.set(full ? 1 : 0);
  };
  set(false);
  return {
    isFull: (): boolean => isFull,
    /** After events were refused for lack of room. */
    reportFull: (error: unknown): void => {
      if (!isFull)
        log.error(
          'the broker has no room for events: they wait in the outbox and leave by themselves when old ones are too old ' +
            'to keep, or when EVENTS_MAX_BYTES, EVENTS_MAX_MESSAGES or the disk of the broker allow more',
          { reason: reasonText(error) },
        );
      set(true);
    },
    /** After events were taken. */
    reportRoom: (): void => {
      if (isFull) log.warn('the broker has room for events again: those that waited leave now');
      set(false);
    },
  };
};
export type StreamRoom = ReturnType<typeof createStreamRoom>;

const NEARLY_FULL = 0.8;

type Fill = { readonly value: number; readonly most: number };

const isNearlyFull = ({ value, most }: Fill): boolean => most > 0 && value >= NEARLY_FULL * most;

/** Reads how full the service's stream is; a log line says once that it is nearly so. */
export const createStreamSampler = ({ service, bus, metrics, log }: Runtime) => {
  let hasWarned = false;
  return async (): Promise<void> => {
    if (!bus.isConnected()) return;
    const manager = await bus.jetstream.jetstreamManager(false);
    const { config, state } = await manager.streams.info(eventStreamName(service));
    const bytes = { value: state.bytes, most: config.max_bytes };
    const messages = { value: state.messages, most: config.max_msgs };
    for (const [what, { value, most }] of Object.entries({ bytes, messages })) {
      metrics.streamKeeps.set({ what }, value);
      metrics.streamMost.set({ what }, most);
    }
    const isNear = isNearlyFull(bytes) || isNearlyFull(messages);
    if (isNear && !hasWarned)
      log.warn(
        'the stream of events is nearly full: EVENTS_MAX_BYTES or EVENTS_MAX_MESSAGES should allow more',
        {
          bytes,
          messages,
        },
      );
    hasWarned = isNear;
  };
};
