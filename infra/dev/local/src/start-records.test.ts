import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createStartRecords } from './start-records.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'tds-start-records-'));
const file = path.join(dir, 'start.log');
afterEach(() => rmSync(file, { force: true }));

const record = (level: string, msg: string) =>
  `${JSON.stringify({ level, service: 'search', error: { stack: 'Error\n    at x' }, msg })}\n`;

const startRecords = () => {
  const printed: string[] = [];
  const errors: string[] = [];
  const records = createStartRecords(file, {
    print: (line) => printed.push(line),
    onError: (line) => errors.push(line),
  });
  return { records, printed, errors };
};

describe('a start', () => {
  it('prints no record of a log: a warning is in the file, an error is one short line beside it', () => {
    const { records, printed, errors } = startRecords();
    records.write(record('warn', 'connection lost'));
    records.write(`search-1 | ${record('error', 'the service could not start')}`);
    expect([printed, errors, records.count()]).toEqual([[], ['search: the service could not start'], 2]);
    expect(readFileSync(file, 'utf8').match(/connection lost|could not start/g)).toHaveLength(2);
  });

  it('prints what is no record, such as the end of a process', () => {
    const { records, printed } = startRecords();
    const lines = ['search-1 | ended with 1: starting it again in 100 ms\n', '{"level":\n', '{}\n'];
    for (const line of lines) records.write(line);
    expect(printed).toEqual(lines);
    expect(existsSync(file)).toBe(false);
  });

  it('prints records once it is over, and forgets those of the start before', () => {
    writeFileSync(file, 'old');
    const { records, printed } = startRecords();
    records.endStart();
    records.write(record('warn', 'later'));
    expect(printed).toEqual([record('warn', 'later')]);
    expect(existsSync(file)).toBe(false);
  });
});
