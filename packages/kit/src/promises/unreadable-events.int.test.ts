import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface, type Event } from '@tds/contracts';
import type { ListenerContext } from '@tds/messaging';
import { listDeadLetters, replayDeadLetter } from '@tds/messaging/admin';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const emitting = (n: z.ZodType) =>
  defineContract('status', { events: { thingHappened: { payload: z.object({ n }) } } });
const subscribing = (thingHappened: Event<'thingHappened'>) =>
  defineSurface(defineContract('archiver', {}), { subscriptions: [thingHappened] });

/** Two releases of one service: only the newer one reads words. */
const status = emitting(z.union([z.number(), z.string()]));
const [older, newer] = [emitting(z.number()), status].map(({ thingHappened }) => subscribing(thingHappened));
if (!older || !newer) throw new Error('unreachable');
const { subject } = status.thingHappened;

describe('an event that a release cannot read', () => {
  let nats: TestNats;
  const bench = createTestBench();
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  const startRelease = async (surface: typeof older, databaseUrl: string) => {
    const seen: unknown[] = [];
    const thingHappened = async (payload: unknown, { once }: ListenerContext) => {
      await service.client.$transaction((tx) =>
        once(tx, async () => void seen.push((payload as { n: unknown }).n)),
      );
    };
    const service: TestService<typeof surface> = await bench.start({
      surface,
      handlers: { subscriptions: { thingHappened } },
      natsUrl: nats.servers,
      databaseUrl,
    });
    return { seen, service };
  };
  const emit = async (...values: unknown[]) => {
    const emitter = await bench.start({
      surface: defineSurface(status),
      handlers: {},
      natsUrl: nats.servers,
    });
    for (const n of values) await emitter.sql('SELECT messaging.emit($1, $2)', subject, { n });
    emitter.kit.messaging.wake();
  };
  type Release = Awaited<ReturnType<typeof startRelease>>;
  const attempts = async ({ service }: Release) =>
    (await service.sql<{ attempts: number }>(`SELECT attempts FROM messaging.tasks WHERE state = 'ready'`)).map(
      (task) => task.attempts,
    );
  /** Brings the next attempt forward; with `count` it is attempt `count + 1`. */
  const hurry = ({ service }: Release, count: number | null = null) =>
    service.sql(
      `UPDATE messaging.tasks SET due_at = now(), attempts = coalesce($1, attempts)
       WHERE state = 'ready' AND (lease_until IS NULL OR lease_until < now())`,
      count,
    );

  it('is retried beside others that are handled, and the next release handles it once', async () => {
    const { url } = await bench.database();
    const before = await startRelease(older, url);
    await emit('seven', 8);
    await eventually(() => expect(before.seen).toEqual([8]));
    await eventually(async () => expect((await attempts(before))[0]).toBeGreaterThanOrEqual(1));
    expect(await listDeadLetters(before.service.kit.db)).toEqual([]);
    await before.service.stop();
    const after = await startRelease(newer, url);
    await eventually(async () => {
      await hurry(after);
      expect(after.seen).toEqual(['seven']);
    });
    await eventually(async () => expect(await attempts(after)).toEqual([]));
    expect(await listDeadLetters(after.service.kit.db)).toEqual([]);
  });

  it('is handled once by the newer of two releases that run side by side', async () => {
    const { url } = await bench.database();
    const [before, after] = await Promise.all([startRelease(older, url), startRelease(newer, url)]);
    const words = Array.from({ length: 10 }, (_, n) => `word ${n}`);
    await emit(...words);
    await eventually(async () => {
      await hurry(after, 1);
      expect(after.seen.toSorted()).toEqual(words);
    });
    expect(before.seen).toEqual([]);
    await eventually(async () => expect(await attempts(after)).toEqual([]));
    expect(after.seen).toHaveLength(words.length);
  });

  it('is a dead letter after its last attempt, which a release that reads it handles on command', async () => {
    const { url } = await bench.database();
    const before = await startRelease(older, url);
    await emit('seven');
    await eventually(async () => expect((await attempts(before))[0]).toBeGreaterThanOrEqual(1));
    const [letter] = await eventually(async () => {
      await hurry(before, 8);
      const letters = await listDeadLetters(before.service.kit.db);
      expect(letters).toMatchObject([{ source: subject, payload: { n: 'seven' }, attempts: 9 }]);
      return letters;
    });
    expect(letter?.reason).toContain('expected number');
    await before.service.stop();
    const after = await startRelease(newer, url);
    await replayDeadLetter(after.service.kit.db, letter?.id ?? '');
    await eventually(() => expect(after.seen).toEqual(['seven']));
  });
});
