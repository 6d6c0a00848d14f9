import { appendFileSync, rmSync } from 'node:fs';

/** Null if it is no record of a log. The line of a process of its own begins with its name. */
const readRecord = (line: string): Readonly<Record<'level' | 'service' | 'msg', string>> | null => {
  try {
    const record = JSON.parse(line.slice(line.indexOf('{')));
    return typeof record.level === 'string' ? record : null;
  } catch {
    return null;
  }
};

type Outlets = Readonly<Record<'print' | 'onError', (line: string) => void>>;

/** Keeps records of logs in a file while a system starts, and says of each error what it is. Prints all lines once it has started. */
export const createStartRecords = (file: string, { print, onError }: Outlets) => {
  rmSync(file, { force: true });
  let [isStarting, kept] = [true, 0];
  return {
    write(line: string) {
      const record = isStarting ? readRecord(line) : null;
      if (!record) return print(line);
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
