import { randomUUID } from 'node:crypto';
import { type ColdCapacity, type FaultShare, status, transcriptFetcher } from '@tds/contracts';
import { createCaller, createFake, observeService, startHarness, testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { service } from '../index.ts';

/** The tests' clock stands still unless they set it. */
export const NOW = new Date('2026-01-15T12:00:00.000Z');

export type Route = { readonly strategy: string; readonly exit: string; readonly healthy: boolean };
export const route = (strategy: string, healthy: boolean, exit = 'direct'): Route => ({
  strategy,
  exit,
  healthy,
});

type Observing = {
  readonly at?: Date;
  readonly instance?: string;
  readonly strategies?: readonly Route[];
  readonly capacity?: ColdCapacity;
  readonly faults?: FaultShare;
};

/** The service on real servers, called over the bus, with a fake fetcher that emits what the test says. */
export const startStatus = async () => {
  const harness = await startHarness({ databases: { status: 'status', 'transcript-fetcher': 'messaging' } });
  let clock = NOW;
  const own = observeService(service.with({ now: async () => clock }));
  const caller = createCaller(status, status.outageDayEvaluated);
  const fetcher = createFake(transcriptFetcher);
  for (const one of [own.service, caller.service, fetcher.service]) await harness.start(one);
  const emitted = { strategyObserved: 0, canaryChecked: 0 };
  const handled = (name: keyof typeof emitted) =>
    eventually(() => {
      if (own.handled(transcriptFetcher[name]).length < emitted[name])
        throw new Error(`${name} is not handled yet`);
    });
  return {
    harness,
    call: caller.call,
    evaluated: caller.received(status.outageDayEvaluated),
    kit: own.kit,
    handlers: own.handlers,
    environment: harness.environmentOf('status'),
    run: (name: 'updateIncidents' | 'evaluateDays' | 'purgeOldRows') =>
      own.handlers().schedules[name](testContext()),
    setClock: (to: Date) => {
      clock = to;
    },
    observe: async ({
      at = clock,
      instance = randomUUID(),
      strategies = [],
      capacity = 'open',
      faults,
    }: Observing = {}) => {
      emitted.strategyObserved += 1;
      await fetcher.emit(transcriptFetcher.strategyObserved, {
        instance,
        observedAt: at.toISOString(),
        strategies: [...strategies],
        capacity,
        ...(faults && { faults }),
      });
    },
    check: async (
      passed: readonly boolean[],
      { at = clock, translation = null }: { at?: Date; translation?: 'served' | 'refused' | null } = {},
    ) => {
      emitted.canaryChecked += 1;
      await fetcher.emit(transcriptFetcher.canaryChecked, {
        instance: randomUUID(),
        checkedAt: at.toISOString(),
        routes: passed.map((one, index) => ({ strategy: `client ${index}`, exit: 'direct', passed: one })),
        translation,
      });
    },
    /** Waits until every emitted event is handled. */
    settled: async () => {
      await handled('strategyObserved');
      await handled('canaryChecked');
    },
    status: () => caller.call(status.getStatus, {}, testContext()),
    history: () => caller.call(status.getHistory, {}, testContext()),
    query: async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
      (await own.kit().db.query(sql, values)).rows as Row[],
    stop: harness.stop,
  };
};

export type TestStatus = Awaited<ReturnType<typeof startStatus>>;
