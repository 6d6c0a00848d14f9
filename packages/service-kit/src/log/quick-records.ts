import { type DestinationStream, pino } from 'pino';
import type { LogLevel } from './log.ts';

type PlainFields = Readonly<Record<string, string | number | null>>;

/** Wide records of a path that is too hot for the log's redaction. */
export type QuickRecords = {
  /** Fields must hold neither secrets nor strangers' text: names and numbers of our own, and ids. */
  add(message: string, fields: PlainFields): void;
  /** Writes what the current turn of the event loop has gathered. */
  flush(): void;
};

/**
 * Writes the same lines as the log, unredacted, all those of one turn of the event loop together; a crash loses at
 * most these.
 */
export const createQuickRecords = (options: {
  service: string;
  level?: LogLevel | undefined;
  destination?: DestinationStream | undefined;
}): QuickRecords => {
  const { service, level = 'info' } = options;
  if (level !== 'info') return { add: () => {}, flush: () => {} };
  const sink = options.destination ?? pino.destination({ fd: 1, sync: true });
  let gathered = '';
  const flush = (): void => {
    if (gathered !== '') sink.write(gathered);
    gathered = '';
  };
  return {
    flush,
    add(message, fields) {
      if (gathered === '') setImmediate(flush);
      const time = new Date().toISOString();
      gathered += `${JSON.stringify({ level, time, service, ...fields, msg: message })}\n`;
    },
  };
};
