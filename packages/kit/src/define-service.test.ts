import { describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { z } from 'zod';
import { defineService, onBroadcast, onCommand, onEvent, onSchedule, onTask } from './define-service.ts';
import type { Kit } from './service.ts';
import { testContext } from './testing/index.ts';

const n = z.object({ n: z.number() });
const search = defineContract('search', {
  commands: { doubleNumber: { request: n, reply: n }, countWords: { request: z.string(), reply: n } },
  tasks: { doWork: { payload: n, leaseMs: 1_000, backoffMs: [], concurrency: 1, timeLimitMs: null } },
  events: { pageFound: { payload: n } },
});
const status = defineContract('status', {
  commands: { readStatus: { request: n, reply: n } },
  events: { outageBegan: { payload: n }, outageEnded: { payload: n } },
});
const surface = defineSurface(search, {
  calls: [],
  subscriptions: [status.outageBegan],
  broadcasts: [status.outageEnded],
  schedules: { sweep: { everySeconds: 60 } },
});

type Deps = { readonly factor: number; readonly seen: string[] };
const createDeps = (_kit: unknown, _environment: NodeJS.ProcessEnv, overrides: Partial<Deps> = {}): Deps => ({
  factor: 2,
  seen: [],
  ...overrides,
});

const doubleNumber = onCommand(search.doubleNumber, async ({ factor }: Deps, request) => ({
  n: request.n * factor,
}));
const countWords = onCommand(search.countWords, async (_: Pick<Deps, 'factor'>, words) => ({
  n: words.split(' ').length,
}));
const doWork = onTask(search.doWork, async ({ seen }: Deps, payload) => void seen.push(`work ${payload.n}`));
const outageBegan = onEvent(status.outageBegan, async ({ seen }: Deps, payload) => {
  seen.push(`began ${payload.n}`);
});
const outageEnded = onBroadcast(status.outageEnded, async ({ seen }: Deps, payload) => {
  seen.push(`ended ${payload.n}`);
});
const pageFound = onEvent(search.pageFound, async ({ seen }: Deps, payload) => {
  seen.push(`lost ${payload.n}`);
});
const sweep = onSchedule(async ({ seen }: Deps) => void seen.push('swept'));

const commands = { doubleNumber, countWords };
const others = {
  tasks: { doWork },
  subscriptions: { outageBegan },
  broadcasts: { outageEnded },
  schedules: { sweep },
  onOwnLostEvents: { pageFound },
};
const service = defineService({ surface, createDeps, commands, ...others });

describe('a service', () => {
  it('binds each handler to what the service is made of, or to what a test puts in its place', async () => {
    const seen: string[] = [];
    const bound = await service.with({ factor: 5, seen }).start({} as Kit<typeof surface>, {});
    expect(await bound.commands.doubleNumber({ n: 3 }, testContext())).toEqual({ n: 15 });
    expect(await bound.commands.countWords('three small words', testContext())).toEqual({ n: 3 });
    await bound.tasks.doWork({ n: 1 }, {} as never);
    await bound.subscriptions.outageBegan({ n: 2 }, {} as never);
    await bound.broadcasts.outageEnded({ n: 3 }, testContext());
    await bound.schedules.sweep(testContext());
    await bound.onOwnLostEvents?.pageFound?.({ n: 4 }, {} as never);
    expect(seen).toEqual(['work 1', 'began 2', 'ended 3', 'swept', 'lost 4']);
  });

  it('does what it does besides messages once its parts are there', async () => {
    const begun: number[] = [];
    const listening = defineService({
      surface,
      createDeps,
      commands,
      ...others,
      start: async ({ factor }) => void begun.push(factor),
    });
    await listening.start({} as Kit<typeof surface>, {});
    expect(begun).toEqual([2]);
  });
});

/** Mistakes that must not compile; nothing of this runs. */
const mistakes = () => {
  // @ts-expect-error a command has no handler
  defineService({ surface, createDeps, commands: { doubleNumber }, ...others });
  // @ts-expect-error two handlers are swapped
  defineService({ surface, createDeps, commands: { doubleNumber: countWords, countWords }, ...others });
  // @ts-expect-error a handler of a command that the contract does not have
  defineService({ surface, createDeps, commands: { ...commands, readStatus: doubleNumber }, ...others });
  // @ts-expect-error a subscription has no handler
  defineService({ surface, createDeps, commands, ...others, subscriptions: {} });
  // @ts-expect-error a schedule has no handler
  defineService({ surface, createDeps, commands, ...others, schedules: {} });
  // @ts-expect-error an event of another service cannot be lost here
  defineService({ surface, createDeps, commands, ...others, onOwnLostEvents: { outageBegan } });
  // @ts-expect-error a handler wants what the service is not made of
  defineService({ surface, createDeps: () => ({ factor: 2 }), commands, ...others });
  // @ts-expect-error the reply is of another shape
  onCommand(search.doubleNumber, async (_: Deps) => ({ m: 1 }));
  // @ts-expect-error the surface does not list this call
  (kit: Kit<typeof surface>) => kit.call(status.readStatus, { n: 1 }, testContext());
};
void mistakes;
