import { randomBytes } from 'node:crypto';

/** An object as the processor's API shows it. */
export type Resource = { readonly id: string; readonly object: string; [field: string]: unknown };

export type Collection =
  | 'customers'
  | 'sessions'
  | 'paymentIntents'
  | 'charges'
  | 'refunds'
  | 'disputes'
  | 'events';

export type Price = {
  readonly lookupKey: string;
  readonly unitAmount: number;
  readonly currency: string;
};

/** All that the processor knows. It lives as long as the process. */
export type State = Record<Collection, Map<string, Resource>> & {
  readonly prices: readonly Price[];
  readonly now: () => number;
};

export const createState = (prices: readonly Price[], now: () => number): State => ({
  customers: new Map(),
  sessions: new Map(),
  paymentIntents: new Map(),
  charges: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  events: new Map(),
  prices,
  now,
});

const ID_BYTES = 12;
export const newId = (prefix: string): string => `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`;

const MS = 1_000;
export const seconds = ({ now }: Pick<State, 'now'>): number => Math.floor(now() / MS);

/** Adds an object with what all of them have. */
export const add = (
  state: State,
  collection: Collection,
  given: { readonly id: string; readonly object: string } & Readonly<Record<string, unknown>>,
): Resource => {
  const resource: Resource = { created: seconds(state), livemode: false, ...given };
  state[collection].set(resource.id, resource);
  return resource;
};
