import { type DestinationStream, pino } from 'pino';
import type { LogLevel } from './log.ts';

/** The time as ISO 8601, in milliseconds; the same text for all records of one millisecond. */
const createIsoTime = (): (() => string) => {
  let last = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) text = new Date(now).toISOString();
    last = now;
    return text;
  };
};

/** Wide records of a path that is too hot for the log's redaction. */
export type QuickRecords = {
  /**
   * `fields` is the inside of a JSON object with at least one field. It must hold neither secrets nor strangers' text: names and numbers
   * of our own, and ids. `message` is a name of our own, too.
   */
  add(message: string, fields: string): void;
  /** Writes what has been buffered. */
  flush(): void;
};

const BUFFER_MS = 5;

/** Writes the same lines as the log, unredacted, those of five milliseconds together; a crash loses at most these. */
export const createQuickRecords = (options: {
  service: string;
  level?: LogLevel | undefined;
  destination?: DestinationStream | undefined;
}): QuickRecords => {
  const { service, level = 'info' } = options;
  if (level !== 'info') return { add: () => {}, flush: () => {} };
  const sink = options.destination ?? pino.destination({ fd: 1, sync: true });
  const isoTime = createIsoTime();
  const start = `{"level":${JSON.stringify(level)},"service":${JSON.stringify(service)},"time":"`;
  let buffered = '';
  const flush = (): void => {
    if (buffered !== '') sink.write(buffered);
    buffered = '';
  };
  return {
    flush,
    add(message, fields) {
      if (buffered === '') setTimeout(flush, BUFFER_MS);
      buffered += `${start}${isoTime()}",${fields},"msg":"${message}"}\n`;
    },
  };
};
