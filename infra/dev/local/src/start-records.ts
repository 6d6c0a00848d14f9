import { appendFileSync, rmSync } from 'node:fs';

/** Gets each line that services write. */
export type StartRecords = { write(line: string): void };

type LogRecord = { readonly level: string; readonly service: string; readonly msg: string };

/** Null if it is no record of a log. The line of a process of its own begins with its name. */
const readRecord = (line: string): LogRecord | null => {
  try {
    const record = JSON.parse(line.slice(line.indexOf('{')));
    return typeof record.level === 'string' ? record : null;
  } catch {
    return null;
  }
};

type Outlets = { readonly print: (line: string) => void; readonly onError: (line: string) => void };

/**
 * Keeps records of logs in a file while a system starts, and shows of each error who says what: a busy machine has warnings with stacks at
 * every step. Prints all lines once it has started.
 */
export const createStartRecords = (file: string, { print, onError }: Outlets) => {
  rmSync(file, { force: true });
  let isStarting = true;
  let kept = 0;
  return {
    write(line: string): void {
      const record = isStarting ? readRecord(line) : null;
      if (!record) {
        print(line);
        return;
      }
      kept += 1;
      appendFileSync(file, line);
      if (record.level === 'error') onError(`${record.service}: ${record.msg}`);
    },
    /** How many are in the file. */
    count: () => kept,
    endStart: () => {
      isStarting = false;
    },
  };
};
