import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../history.ts';
import { checkStops } from './kept-stops.ts';

const ACCOUNT = '0b9ac1f2-9d1c-4f6e-8c51-0d5a4b1f7a10';
const call = (given: Partial<CallRecord>): CallRecord =>
  ({ type: 'call', outcome: 'ok', accountId: ACCOUNT, at: 10_000, ms: 20, ...given }) as CallRecord;
const stopped = (about: string) => call({ kind: 'stop', about });

type Seen = { goingOn?: string[]; restores?: Record<string, number[]> };

const found = async (calls: CallRecord[], { goingOn = [], restores = {} }: Seen = {}) => {
  const rows = async (_service: string, _sql: string, [ids]: unknown[] = []) =>
    (ids as string[]).filter((id) => goingOn.includes(id)).map((id) => ({ id }));
  const findings = await checkStops({
    evidence: { rows: rows as never },
    history: { calls },
    restores: new Map(Object.entries(restores)),
  });
  return findings.map(({ subject }) => subject);
};

describe('the check of acknowledged stops', () => {
  it.each(['webhook', 'monitor', 'job', 'link'])('finds a %s that goes on', async (subject) => {
    const calls = [stopped(`${subject} ${ACCOUNT}`)];
    expect(await found(calls)).toEqual([]);
    expect(await found(calls, { goingOn: [ACCOUNT] })).toEqual([`${subject} ${ACCOUNT}`]);
  });

  it('finds nothing if the stop failed, or if the webhook was configured again', async () => {
    const goingOn = [ACCOUNT];
    const failed = call({ kind: 'stop', about: `webhook ${ACCOUNT}`, outcome: 'unknown' });
    expect(await found([failed], { goingOn })).toEqual([]);
    const again = call({ kind: 'webhook', at: 11_000 });
    expect(await found([stopped(`webhook ${ACCOUNT}`), again], { goingOn })).toEqual([]);
  });

  it('holds a stop against an older copy of the database, unless its event had no time to leave', async () => {
    const calls = [stopped(`monitor ${ACCOUNT}`)];
    const restoredAt = (ms: number) => ({ goingOn: [ACCOUNT], restores: { 'monitor-scheduler': [ms] } });
    expect(await found(calls, restoredAt(11_000))).toEqual([]);
    expect(await found(calls, restoredAt(60_000))).toEqual([`monitor ${ACCOUNT}`]);
  });
});
