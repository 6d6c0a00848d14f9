import { createInstruments, createMetrics } from '@tds/base/internals';
import type { Event, PayloadOf, Surface } from '@tds/contracts';
import type { Handlers, Kit, ServiceDefinition } from '../service.ts';

/** A running service, with access to its kit and to the events that it has handled. */
export type ObservedService<S extends Surface> = {
  readonly service: ServiceDefinition<S>;
  /** Once it has started; of its last start. */
  readonly kit: () => Kit<S>;
  readonly handlers: () => Handlers<S>;
  /** Payloads of an event that the subscription has handled, one for each delivery. */
  handled<E extends Event>(event: E): PayloadOf<E>[];
};

type AnyListeners = Record<string, (payload: unknown, context: never) => Promise<void>>;

export const observeService = <S extends Surface>(service: ServiceDefinition<S>): ObservedService<S> => {
  let current: { kit: Kit<S>; handlers: Handlers<S> } | undefined;
  const requireStarted = () => {
    if (!current) throw new Error(`${service.surface.name} has not started`);
    return current;
  };
  const handled: { name: string; payload: unknown }[] = [];
  const recording = (listeners: AnyListeners): AnyListeners =>
    Object.fromEntries(
      Object.entries(listeners).map(([name, listener]) => [
        name,
        async (payload: unknown, context: never) => {
          await listener(payload, context);
          handled.push({ name, payload });
        },
      ]),
    );
  return {
    service: {
      surface: service.surface,
      start: async (kit, environment) => {
        const handlers = await service.start(kit, environment);
        current = { kit, handlers };
        return {
          ...handlers,
          subscriptions: recording(handlers.subscriptions as AnyListeners) as Handlers<S>['subscriptions'],
        };
      },
    },
    kit: () => requireStarted().kit,
    handlers: () => requireStarted().handlers,
    handled: <E extends Event>(event: E) =>
      handled.filter(({ name }) => name === event.name).map(({ payload }) => payload as PayloadOf<E>),
  };
};

/** The value of the first series of this name that has these labels. */
export type Scraped = (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;

/** A service's answers at its private address. */
export const scrape = async (health: string): Promise<Scraped> => {
  const lines = (await (await fetch(`${health}/metrics`)).text()).split('\n');
  return (name, labels = {}) => {
    const labelPairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = lines.find(
      (each) => each.startsWith(`${name}{`) && labelPairs.every((label) => each.includes(label)),
    );
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
};

/** The labels that each metric of the kit may have, also while it has no series yet. */
export const instrumentLabels = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.values(createInstruments(createMetrics('any', { processMetrics: false }))).map((metric) => {
      const { name, labelNames } = metric as unknown as { name: string; labelNames: readonly string[] };
      return [name, labelNames];
    }),
  );
