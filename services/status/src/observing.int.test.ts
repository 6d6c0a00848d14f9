import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LATENCY_BOUNDS_MS, status } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { NOW, route, startStatus, type TestStatus } from './test-support/start-status.ts';

let service: TestStatus;
beforeAll(async () => {
  service = await startStatus();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  service.setClock(NOW);
  await service.query('DELETE FROM reports');
  await service.query('DELETE FROM canary');
  await service.query('DELETE FROM changes');
});
const at = (seconds: number) => new Date(NOW.getTime() + 1_000 * seconds);

describe('observations', () => {
  it('of all instances make one status from the newest report of each, in any order', async () => {
    const instance = randomUUID();
    await service.observe({ instance, at: at(-1), strategies: [route('android', false)] });
    await service.settled();
    await service.observe({ instance, at: at(-30), strategies: [route('android', true)] });
    await service.settled();
    expect(await service.status()).toMatchObject({ impaired: ['relay', 'strategies'] });
    await service.observe({ at: at(-20), strategies: [route('android', true)] });
    await service.settled();
    expect(await service.status()).toMatchObject({
      relay: 'operational',
      strategies: [{ name: 'android', status: 'operational' }],
      impaired: [],
    });
  });

  it('of known videos count until the next check', async () => {
    await service.check([true, true], { at: at(-1), translation: 'served' });
    await service.settled();
    await service.check([false, false], { at: at(-2) });
    await service.settled();
    expect(await service.status()).toMatchObject({
      canary: { status: 'operational', checked_at: at(-1).toISOString() },
      translation: 'operational',
    });
  });
});

describe('incidents', () => {
  it('begin and end with observations and with silence, and are saved once by concurrent runs', async () => {
    const instance = randomUUID();
    await service.observe({ instance, strategies: [route('android', true)] });
    await service.settled();
    await service.run('updateIncidents');
    service.setClock(at(300));
    await Promise.all([1, 2, 3].map(() => service.run('updateIncidents')));
    service.setClock(at(600));
    await service.observe({ instance, strategies: [route('android', true)] });
    await service.settled();
    await service.run('updateIncidents');
    const { incidents, days } = await service.history();
    expect(incidents).toEqual([
      { beganAt: at(300).toISOString(), endedAt: at(600).toISOString(), impaired: ['relay'] },
    ]);
    expect(days.at(-1)).toMatchObject({ day: '2026-01-15', impairedMinutes: 5 });
  });
});

describe('latency', () => {
  const slot = (given: { bound: number; count: number; minutesAgo?: number }) => ({
    slotAt: at(-60 * (given.minutesAgo ?? 0)).toISOString(),
    cohort: 'transcript_cold' as const,
    counts: LATENCY_BOUNDS_MS.map((bound) => (bound === given.bound ? given.count : 0)),
  });
  const record = (instance: string, ...slots: ReturnType<typeof slot>[]) =>
    service.call(status.recordLatency, { instance, slots }, testContext());
  /** After the cached bounds have expired. */
  const latencyAfter = async (seconds: number) => {
    service.setClock(at(seconds));
    return (await service.status()).latency;
  };

  it('is the sum of all gateways over 24 hours; a repeated or older report counts nothing twice', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await record(one, slot({ bound: 100, count: 12 }));
    await record(one, slot({ bound: 100, count: 10 }));
    await record(one, slot({ bound: 100, count: 12 }));
    await record(other, slot({ bound: 2_000, count: 7, minutesAgo: 23 * 60 }));
    await record(other, slot({ bound: 30_000, count: 1_000, minutesAgo: 25 * 60 }));
    expect((await latencyAfter(10)).transcript_cold).toEqual({ p50_ms: null, p95_ms: null });
    await record(other, slot({ bound: 2_000, count: 8, minutesAgo: 23 * 60 }));
    expect(await latencyAfter(20)).toEqual({
      transcript_cache_hits: { p50_ms: null, p95_ms: null },
      transcript_cold: { p50_ms: 100, p95_ms: 2_000 },
    });
  });
});
