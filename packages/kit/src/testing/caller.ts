import { randomUUID } from 'node:crypto';
import { type Contract, defineContract, defineSurface, type Event, type PayloadOf } from '@tds/contracts';
import type { Context } from '@tds/messaging';
import type { Call, Kit, ServiceDefinition } from '../service.ts';

/** The context of a handler or a call. */
export const testContext = (fields: Partial<Context> = {}): Context => ({
  requestId: randomUUID(),
  accountId: null,
  signal: new AbortController().signal,
  record: { add: () => {} },
  ...fields,
});

type CallerSurface<C extends Contract> = ReturnType<typeof surfaceFor<C>>;

const surfaceFor = <C extends Contract>(contract: C, broadcasts: readonly Event[]) =>
  defineSurface(defineContract('gateway', {}), {
    calls: Object.values(contract.commands) as C['commands'][keyof C['commands']][],
    broadcasts,
  });

/** A service that calls another one over the bus as the gateway does, and keeps the events that it receives. */
export type Caller<C extends Contract> = {
  readonly service: ServiceDefinition<CallerSurface<C>>;
  readonly call: Call<CallerSurface<C>>;
  /** Once it has started. */
  readonly kit: () => Kit<CallerSurface<C>>;
  /** The broadcasts of one of its events so far. */
  received<E extends Event>(event: E): PayloadOf<E>[];
};

export const createCaller = <C extends Contract>(contract: C, ...broadcasts: readonly Event[]): Caller<C> => {
  const surface = surfaceFor(contract, broadcasts);
  const payloads = new Map<string, unknown[]>(broadcasts.map(({ name }) => [name, []]));
  let providedKit: Kit<CallerSurface<C>> | undefined;
  const kit = () => {
    if (!providedKit) throw new Error('the caller has not started');
    return providedKit;
  };
  const receive = ([name, received]: [string, unknown[]]) => [
    name,
    async (payload: unknown) => void received.push(payload),
  ];
  return {
    service: {
      surface,
      start: async (provided) => {
        providedKit = provided;
        return {
          commands: {},
          tasks: {},
          subscriptions: {},
          schedules: {},
          broadcasts: Object.fromEntries([...payloads].map(receive)),
        } as never;
      },
    },
    call: (command, request, context) => kit().call(command, request, context),
    kit,
    received: <E extends Event>({ name }: E) => (payloads.get(name) ?? []) as PayloadOf<E>[],
  };
};
