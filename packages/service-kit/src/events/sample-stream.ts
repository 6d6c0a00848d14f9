import { eventStreamName } from '../broker/streams.ts';
import type { Runtime } from '../runtime/runtime.ts';

const NEARLY_FULL = 0.8;

type Fill = { readonly value: number; readonly most: number };

const isNearlyFull = ({ value, most }: Fill): boolean => most > 0 && value >= NEARLY_FULL * most;

/** Reads how full the service's stream is; a log line says once that it is nearly so. */
export const createStreamSampler = ({ service, bus, metrics, log }: Runtime) => {
  let warned = false;
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
    if (isNear && !warned)
      log.warn(
        'the stream of events is nearly full: EVENTS_MAX_BYTES or EVENTS_MAX_MESSAGES should allow more',
        {
          bytes,
          messages,
        },
      );
    warned = isNear;
  };
};
