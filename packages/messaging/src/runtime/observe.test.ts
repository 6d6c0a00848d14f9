import { describe, expect, it } from '@jest/globals';
import { NoRespondersError, RequestError, TimeoutError } from '@nats-io/nats-core';
import { failureFields, LeaseLost, RetryLater } from '@tds/base';
import { createLog } from '@tds/base/internals';
import { serviceError } from '@tds/errors';
import { observe } from './observe.ts';

/** The lines of a message whose handling fails with this. */
const linesOf = async (thrown: unknown): Promise<string[]> => {
  const lines: string[] = [];
  const log = createLog({ service: 'status', destination: { write: (line) => void lines.push(line) } });
  const messageContext = { requestId: 'r1', accountId: null, traceparent: undefined };
  const observed = {
    kind: 'task',
    name: 'do-work',
    service: 'status',
    messageContext,
    span: 'internal',
    log,
  } as const;
  await expect(observe(observed, () => Promise.reject(thrown))).rejects.toBe(thrown);
  return lines;
};

const noResponders = new RequestError('no responders', { cause: new NoRespondersError('cmd.x') });

describe('the record of a handler that failed', () => {
  it.each([
    ['no responder', serviceError('service_unavailable', { cause: noResponders })],
    ['a refusal', serviceError('account_frozen', { cause: new Error('x'.repeat(9_000)) })],
    ['a lost lease', new LeaseLost('t1')],
    ['an absent broker', new RequestError('timeout', { cause: new TimeoutError() })],
    ['an absent database', new Error('Connection terminated unexpectedly')],
  ])('is one short line without a stack if it is expected: %s', async (_, thrown) => {
    const lines = await linesOf(thrown);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/stack|\\n/);
    expect(lines[0]?.length).toBeLessThan(900);
  });

  it('says why, through all causes', async () => {
    const [line = ''] = await linesOf(serviceError('service_unavailable', { cause: noResponders }));
    expect(JSON.parse(line)).toMatchObject({
      outcome: 'service_unavailable',
      level: 'warn',
      reason: expect.stringMatching(/no responders.* <- NoResponders: .*cmd\.x/),
    });
  });

  it('says of a task that asks to be tried later just that, and why', async () => {
    const [line = ''] = await linesOf(new RetryLater(60_000, 'the job is still running'));
    const record = JSON.parse(line);
    expect(record).toMatchObject({
      outcome: 'retry_later',
      level: 'warn',
      reason: 'the job is still running',
    });
    expect(line).not.toContain('stack');
  });

  it('shows an unforeseen error whole, once', async () => {
    const [line = '', ...others] = await linesOf(new Error('surprise'));
    expect(others).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      error: { stack: expect.stringContaining('observe.test.ts') },
    });
    expect(line.split('observe.test.ts:').length).toBeLessThan(6);
  });

  it('is the measure for what the kit itself says of an outage, too', () => {
    expect(failureFields(noResponders)).toHaveProperty('reason');
    expect(failureFields(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toHaveProperty(
      'reason',
    );
    expect(failureFields(new TypeError('undefined is not a function'))).toHaveProperty('error');
  });
});
