import { describe, expect, it } from '@jest/globals';
import { createRecordingLog } from '@tds/base/testing';
import { defineContract, defineSurface, MINUTE_MS } from '@tds/contracts';
import { z } from 'zod';
import type { TaskContext } from '../context.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { replayEvent, replayTask } from './replay-event.ts';

const status = defineContract('status', {
  events: { thingHappened: { payload: z.object({ n: z.number() }) } },
});
const surface = defineSurface(defineContract('archiver', {}), { subscriptions: [status.thingHappened] });
const { subject } = status.thingHappened;
const messageId = '0197d2a0-0000-7000-8000-000000000001';

/** A service that hears the event, on a database that keeps what it is asked and knows nothing yet. */
const setUp = ({
  listener = async () => {},
  isLastAttempt = false,
}: {
  listener?: (payload: unknown) => Promise<void>;
  isLastAttempt?: boolean;
} = {}) => {
  const statements: string[] = [];
  const query = async (given: string | { text: string }) => {
    statements.push((typeof given === 'string' ? given : given.text).trim().split(/\s+/).slice(0, 3).join(' '));
    return { rows: [{ isNew: true }], rowCount: 1 };
  };
  const client = { query, on: () => {}, off: () => {}, release: () => {} };
  const pool = { query, connect: async () => client };
  const deadLetters: object[] = [];
  const metrics = { deadLetters: { inc: (labels: object) => void deadLetters.push(labels) } };
  const ending = new AbortController().signal;
  const runtime = { service: 'archiver', surface, pool, metrics, ...createRecordingLog(), ending };
  const completed: unknown[] = [];
  const complete = async () => void completed.push('complete');
  const context = { isLastAttempt, attempt: 9, complete } as unknown as TaskContext;
  const handle = replayEvent(runtime as unknown as StoreRuntime, {
    subscriptions: { thingHappened: listener },
    onOwnLostEvents: {},
  });
  const replay = (given: object) => handle({ messageId, streamSeq: 7, ...given }, context);
  return { statements, completed, deadLetters, replay };
};

describe('the replay of an event', () => {
  it('hands it to its listener as the stream would, and remembers it', async () => {
    const heard: unknown[] = [];
    const { statements, replay } = setUp({ listener: async (payload) => void heard.push(payload) });
    await replay({ subject, payload: { n: 1 } });
    expect(heard).toEqual([{ n: 1 }]);
    expect(statements).toEqual(['INSERT INTO messaging.inbox']);
  });

  it('fails as its listener fails, so that it is tried again as every task', async () => {
    const { completed, replay } = setUp({ listener: () => Promise.reject(new Error('the ledger is away')) });
    await expect(replay({ subject, payload: { n: 1 } })).rejects.toThrow('the ledger is away');
    expect(completed).toEqual([]);
  });

  it('fails if this release cannot read the event, so that another release may take the next attempt', async () => {
    const { statements, completed, replay } = setUp();
    await expect(replay({ subject, payload: { n: 'seven' } })).rejects.toThrow('expected number');
    expect([statements, completed]).toEqual([[], []]);
  });

  it('makes the event a dead letter at the last attempt, and ends in the same transaction', async () => {
    const { statements, completed, deadLetters, replay } = setUp({ isLastAttempt: true });
    await replay({ subject, payload: { n: 'seven' } });
    expect(statements).toEqual(['BEGIN', 'INSERT INTO messaging.dead_letters', 'COMMIT']);
    expect([completed, deadLetters]).toEqual([['complete'], [{ source: 'thing-happened' }]]);
  });

  it('is tried for ten minutes at least, longer than an upgrade takes, and for half an hour at most', () => {
    const triedMs = replayTask('archiver').backoffMs.reduce((sum, waitMs) => sum + waitMs, 0);
    expect(triedMs).toBeGreaterThan(10 * MINUTE_MS);
    expect(triedMs).toBeLessThan(30 * MINUTE_MS);
  });

  it('fails if the service does not subscribe to such events any more: an operator has to decide', async () => {
    const { statements, replay } = setUp();
    await expect(replay({ subject: 'evt.status.gone.v1', payload: {} })).rejects.toThrow(
      'archiver does not take evt.status.gone.v1 any more',
    );
    expect(statements).toEqual([]);
  });

  it.each([{ subject }, { subject, messageId: 'no id', payload: {} }, { payload: {} }])(
    'takes nothing for an event that is none: %j',
    async (given) => {
      const { statements, replay } = setUp();
      await expect(replay(given)).rejects.toThrow();
      expect(statements).toEqual([]);
    },
  );

  it('is a task of the service that heard it, under the name that SQL functions enqueue', () => {
    expect(replayTask('archiver')).toMatchObject({ wireName: 'kit-replay-event', owner: 'archiver' });
  });
});
