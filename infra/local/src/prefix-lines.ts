import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Passes a process's output on line by line, each with the process's name. */
export const prefixLines = (source: Readable, prefix: string, write: (line: string) => void): void => {
  createInterface({ input: source, crlfDelay: Infinity }).on('line', (line) => write(`${prefix}${line}`));
};
