import { describe, expect, it } from '@jest/globals';
import { createLog } from '@tds/base/internals';
import type { Runtime } from '@tds/messaging/internals';
import { DRAIN_MS } from '../drain-due.ts';
import { runWhenDue } from './runs.ts';

const service = 'status';
const metrics = { scheduleFailing: { set: () => {} } };
const runtime = {
  ...{ service, metrics, log: createLog({ service, level: 'silent' }), ending: new AbortController().signal },
} as unknown as Runtime;

describe('a run that does not end', () => {
  it('holds up the next one for as long as it takes rows, and no longer', async () => {
    const gate = Promise.withResolvers<void>();
    let [now, begun] = [0, 0];
    const handler = async () => {
      begun += 1;
      await gate.promise;
    };
    const work = runWhenDue(
      runtime,
      { name: 'bury-things', everySeconds: 1, firstDue: 'SELECT now()', handler },
      () => now,
    );
    const poll = () => work.onPoll(true);
    poll();
    now = DRAIN_MS - 1;
    poll();
    expect(begun).toBe(1);
    now = DRAIN_MS;
    poll();
    poll();
    expect(begun).toBe(2);
    gate.resolve();
    await work.ended?.();
    poll();
    expect(begun).toBe(2);
    now += 1_000;
    poll();
    expect(begun).toBe(3);
    await work.ended?.();
  });
});
