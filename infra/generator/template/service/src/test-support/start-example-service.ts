import { exampleService } from '@tds/contracts';
import { callerOf, observed, startHarness } from '@tds/kit/testing';
import { service } from '../index.ts';

/** The tests' clock stands still. */
export const NOW = new Date('2026-01-15T12:00:00.000Z');

/** The service on real servers, called over the bus as others call it. */
export const startExampleService = async () => {
  const harness = await startHarness({ databases: { 'example-service': 'example-service' } });
  const own = observed(service.with({ now: () => NOW }));
  const caller = callerOf(exampleService);
  await harness.start(own.service);
  await harness.start(caller.service);
  return { ...harness, call: caller.call, kit: own.kit, handlers: own.handlers, handled: own.handled };
};

export type TestExampleService = Awaited<ReturnType<typeof startExampleService>>;
