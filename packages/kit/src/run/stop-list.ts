import { endsWithin, type Log } from '@tds/base';

const MAX_STOP_MS = 15_000;

/** The parts to stop, newest first. */
export const createStopList = (log: Log) => {
  const stops: { readonly name: string; readonly stop: () => Promise<void> }[] = [];
  let running: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    for (let next = stops.pop(); next; next = stops.pop()) {
      try {
        const inTime = await endsWithin(next.stop(), MAX_STOP_MS);
        if (!inTime) log.error('stopping took too long', { part: next.name });
      } catch (error) {
        log.error('stopping failed', { part: next.name, error });
      }
    }
  };
  return {
    add: (name: string, stop: () => Promise<void>): void => void stops.push({ name, stop }),
    /** Stops everything once, however often it is called; one that fails or hangs does not keep the others. */
    run: (): Promise<void> => {
      running ??= runAll();
      return running;
    },
    isRunning: () => running !== undefined,
  };
};
export type StopList = ReturnType<typeof createStopList>;
