import { describe, expect, it } from '@jest/globals';
import { createLog, createWideRecord, currentContext, runInContext, writeRecord } from './log.ts';

const capture = (level?: 'info' | 'warn' | 'silent') => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, log: createLog({ service: 'search', destination, level }) };
};

const record = { kind: 'command', name: 'search-page', outcome: 'ok', durationMs: 12 } as const;

describe('createLog', () => {
  it('every line inside a context carries its ids, across awaits, and those of no other context', async () => {
    const { lines, log } = capture();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const work = async (requestId: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      log.info('worked', { requestId: 'forged' });
      return currentContext()?.requestId === requestId;
    };
    const first = runInContext({ requestId: 'r-1', accountId: 'a-1', traceparent }, () => work('r-1'));
    const second = runInContext({ requestId: 'r-2', accountId: null }, () => work('r-2'));
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(lines).toEqual([
      expect.objectContaining({
        requestId: 'r-1',
        accountId: 'a-1',
        traceId: '0af7651916cd43dd8448eb211c80319c',
      }),
      expect.not.objectContaining({ accountId: expect.anything() }),
    ]);
    expect(lines[1]).toMatchObject({ requestId: 'r-2' });
    expect(currentContext()).toBeUndefined();
  });

  it('a child adds its fields to each of its lines and to none of its parent', () => {
    const { lines, log } = capture();
    log.child({ part: 'relay' }).child({ shard: 2 }).warn('late', { shard: 3 });
    log.info('plain');
    expect(lines[0]).toMatchObject({ level: 'warn', msg: 'late', part: 'relay', shard: 3 });
    expect(lines[1]).not.toHaveProperty('part');
  });

  it('lines below the level are not written', () => {
    const { lines, log } = capture('warn');
    log.info('quiet');
    writeRecord(log, record);
    log.error('loud');
    expect(lines.map((line) => line.msg)).toEqual(['loud']);
  });
});

describe('writeRecord', () => {
  it('writes one line with what the handler added', () => {
    const { lines, log } = capture();
    const wide = createWideRecord();
    wide.add({ results: 20 });
    wide.add({ cache: 'HIT' });
    writeRecord(log, { ...wide.fields, ...record });
    expect(lines).toEqual([expect.objectContaining({ level: 'info', ...record, results: 20, cache: 'HIT' })]);
  });

  it('an unforeseen failure makes the line an error, with the stack', () => {
    const { lines, log } = capture();
    writeRecord(log, { ...record, outcome: 'unexpected_error', error: new Error('boom') });
    expect(lines[0]).toMatchObject({ level: 'error', error: { message: 'boom', stack: expect.any(String) } });
  });

  it('fields that pass through a record cannot reach its prototype', () => {
    const wide = createWideRecord();
    wide.add(JSON.parse('{"__proto__":{"polluted":true},"ok":1}'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const { lines, log } = capture();
    writeRecord(log, { ...wide.fields, ...record });
    expect(lines[0]).toMatchObject({ ok: 1 });
  });
});
