import type { Log } from '../log/log.ts';

/** A log that keeps its lines for tests: level, text and fields. */
export const createRecordingLog = () => {
  const lines: string[] = [];
  const line = (level: string) => (text: string, fields?: object) =>
    void lines.push(`${level}: ${text}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`);
  const log: Log = { info: line('info'), warn: line('warn'), error: line('error'), child: () => log };
  return { lines, log };
};
