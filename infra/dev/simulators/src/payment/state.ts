import { randomBytes } from 'node:crypto';
import { notFound } from './api-error.ts';

/** An object as the processor's API shows it. */
export type Resource = { readonly id: string; readonly object: string; [field: string]: unknown };

/** The collections, with the names of their objects in errors. */
const names = {
  customers: 'customer',
  sessions: 'checkout.session',
  paymentMethods: 'payment_method',
  paymentIntents: 'payment_intent',
  charges: 'charge',
  refunds: 'refund',
  disputes: 'dispute',
  events: 'event',
} as const;
export type Collection = keyof typeof names;
export const collections = Object.keys(names) as readonly Collection[];

export type Price = { readonly lookupKey: string; readonly unitAmount: number; readonly currency: string };

/** The processor's data, which lives as long as the process. */
export type State = Record<Collection, Map<string, Resource>> & {
  readonly prices: readonly Price[];
  readonly now: () => number;
};

export const createState = (prices: readonly Price[], now: () => number): State => {
  const maps = Object.fromEntries(collections.map((name) => [name, new Map()]));
  return { ...(maps as Record<Collection, Map<string, Resource>>), prices, now };
};

/** Throws `ApiError` if it is unknown. */
export const find = (state: State, collection: Collection, id = ''): Resource => {
  const resource = state[collection].get(id);
  if (!resource) throw notFound(names[collection], id);
  return resource;
};

const ID_BYTES = 12;
export const newId = (prefix: string): string => `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`;

const MS = 1_000;
export const seconds = ({ now }: Pick<State, 'now'>): number => Math.floor(now() / MS);

/** Adds an object with the fields of all objects. */
export const add = (
  state: State,
  collection: Collection,
  fields: { readonly id: string; readonly object: string } & Readonly<Record<string, unknown>>,
): Resource => {
  const resource: Resource = { created: seconds(state), livemode: false, ...fields };
  state[collection].set(resource.id, resource);
  return resource;
};
