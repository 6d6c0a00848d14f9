import { describe, expect, it, jest } from '@jest/globals';
import { createLog, writeRecord } from './log.ts';
import { createQuickRecords } from './quick-records.ts';

const gather = () => {
  const writes: string[] = [];
  return { writes, destination: { write: (text: string) => void writes.push(text) } };
};

const FIELDS = '"kind":"http"';

describe('quick records', () => {
  it('read like those of the log', () => {
    const [slow, quick] = [gather(), gather()];
    const fields = { kind: 'http', name: 'getTranscript', outcome: 'ok', durationMs: 1.5 } as const;
    writeRecord(createLog({ service: 'gateway', destination: slow.destination }), fields);
    const records = createQuickRecords({ service: 'gateway', destination: quick.destination });
    records.add('http getTranscript', JSON.stringify(fields).slice(1, -1));
    records.flush();
    const line = (writes: string[]) => ({ ...JSON.parse(writes.join('')), time: '' });
    expect(line(quick.writes)).toEqual(line(slow.writes));
  });

  it('of one moment leave in one write, without being asked', () => {
    jest.useFakeTimers();
    const { writes, destination } = gather();
    const records = createQuickRecords({ service: 'gateway', destination });
    records.add('one', FIELDS);
    records.add('other', FIELDS);
    expect(writes).toEqual([]);
    jest.runAllTimers();
    jest.useRealTimers();
    expect(writes).toHaveLength(1);
    expect(writes[0]?.trimEnd().split('\n')).toHaveLength(2);
  });

  it.each(['warn', 'error', 'silent'] as const)('are not written at level %s', (level) => {
    const { writes, destination } = gather();
    const records = createQuickRecords({ service: 'gateway', level, destination });
    records.add('one', FIELDS);
    records.flush();
    expect(writes).toEqual([]);
  });
});
