import { pauseFor } from '@tds/base/internals';
import type { Bus } from './bus.ts';
import { eventStream, failedWith, prepareStream, STREAM_NOT_FOUND, StreamFailure } from './streams.ts';

/** The present state of the stream: its identity and its first and last positions. */
export type StreamState = {
  readonly name: string;
  /** The server that leads it; older brokers name none if they are alone. */
  readonly leader: string | undefined;
  readonly created: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Positions in between that hold no message any more. */
  readonly holes: readonly number[];
};

const MAX_POLLS = 40;
const PAUSE_MS = 250;

/** The stream of an emitter. One that a broker has lost is made again in a moment, and waited for. */
export const readStreamState = async (bus: Bus, emitter: string, signal: AbortSignal): Promise<StreamState> => {
  const definition = eventStream(emitter, bus.streamLimits);
  await prepareStream(bus, definition);
  const manager = await bus.jetstream.jetstreamManager(false);
  for (let remaining = MAX_POLLS; ; remaining -= 1) {
    try {
      const { created, state, cluster } = await manager.streams.info(definition.name, {
        deleted_details: true,
      });
      return {
        name: definition.name,
        leader: cluster?.leader,
        created: String(created),
        firstSeq: state.first_seq,
        lastSeq: state.last_seq,
        holes: state.deleted ?? [],
      };
    } catch (error) {
      if (!failedWith(error, STREAM_NOT_FOUND)) throw error;
      if (remaining === 1 || signal.aborted) throw new StreamFailure(definition.name, 'is missing');
      await pauseFor(PAUSE_MS, signal);
    }
  }
};

/** The oldest position that the stream still keeps: it forgets all the time. */
export const readFirstSeq = async ({ jetstream }: Bus, stream: string): Promise<number> => {
  const manager = await jetstream.jetstreamManager(false);
  return (await manager.streams.info(stream)).state.first_seq;
};
