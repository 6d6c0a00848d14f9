import { z } from 'zod';
import { ApiError, badRequest } from './api-error.ts';
import { chargeCard, chargeParameters, detachCard, expandSetup, openSetup, setupParameters } from './cards.ts';
import type { Emit } from './deliveries.ts';
import { makeRefund, refundParameters } from './money-back.ts';
import { expireSession, openSession, priceId, sessionParameters } from './sessions.ts';
import { add, type Collection, find, newId, type Resource, type State } from './state.ts';

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly parameters: unknown;
  readonly origin: string;
};

type Work = (state: State, request: ApiRequest, id: string, emit: Emit) => object;

const parse = <Schema extends z.ZodType>(schema: Schema, parameters: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest('parameter_invalid', `${issue?.path.join('.')}: ${issue?.message}`);
};

const retrieve =
  (collection: Collection): Work =>
  (state, _request, id) =>
    find(state, collection, id);

const list = (url: string, data: readonly object[], hasMore = false) => ({
  ...{ object: 'list', url, has_more: hasMore, data },
});

const pageParameters = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(10),
  starting_after: z.string().optional(),
  customer: z.string().optional(),
  created: z.object({ gte: z.coerce.number().int(), lte: z.coerce.number().int() }).partial().prefault({}),
});

/** Newest first. */
const listNewest =
  (collection: Collection): Work =>
  (state, { path, parameters }) => {
    const { limit, starting_after: after, created, customer } = parse(pageParameters, parameters);
    const { gte = 0, lte = Number.POSITIVE_INFINITY } = created;
    const isAsked = (one: Resource) => !customer || one.customer === customer;
    const all = [...state[collection].values()].reverse().filter(isAsked);
    const from = after === undefined ? 0 : all.indexOf(find(state, collection, after)) + 1;
    const remaining = all.slice(from).filter((one) => Number(one.created) >= gte && Number(one.created) <= lte);
    return list(path, remaining.slice(0, limit).map(hideOwn), remaining.length > limit);
  };

const listPrices: Work = (state, { parameters }) => {
  const { lookup_keys: keys } = parse(z.object({ lookup_keys: z.array(z.string()) }), parameters);
  const prices = state.prices.filter(({ lookupKey }) => keys.includes(lookupKey));
  const entries = prices.map(({ lookupKey, unitAmount, currency }) => ({
    ...{ id: priceId(lookupKey), object: 'price', active: true, lookup_key: lookupKey },
    ...{ unit_amount: unitAmount, currency, product: 'prod_credits' },
  }));
  return list('/v1/prices', entries);
};

const makeCustomer: Work = (state, { parameters }) => {
  const { email, metadata } = parse(
    z.object({ email: z.string().optional(), metadata: z.record(z.string(), z.string()).default({}) }),
    parameters,
  );
  return add(state, 'customers', {
    ...{ id: newId('cus'), object: 'customer', email: email ?? null, metadata },
  });
};

const openPortal: Work = (state, { parameters, origin }) => {
  const { customer, return_url } = parse(
    z.object({ customer: z.string(), return_url: z.url().optional() }),
    parameters,
  );
  find(state, 'customers', customer);
  const id = newId('bps');
  return {
    ...{ id, object: 'billing_portal.session', customer, return_url },
    url: `${origin}/portal/${customer}`,
  };
};

const table: Readonly<Record<string, Work>> = {
  'GET /v1/prices': listPrices,
  'POST /v1/customers': makeCustomer,
  'POST /v1/checkout/sessions': (state, { parameters, origin }) =>
    (parameters as { mode?: unknown }).mode === 'setup'
      ? openSetup(state, origin, parse(setupParameters, parameters))
      : openSession(state, origin, parse(sessionParameters, parameters)),
  'GET /v1/checkout/sessions': listNewest('sessions'),
  'GET /v1/checkout/sessions/*': (state, { parameters }, id) =>
    expandSetup(state, find(state, 'sessions', id), parameters),
  'POST /v1/checkout/sessions/*/expire': (state, _request, id, emit) => expireSession(state, id, emit),
  'POST /v1/payment_methods/*/detach': (state, _request, id) => detachCard(state, id),
  'POST /v1/payment_intents': (state, { parameters, origin }, _id, emit) =>
    chargeCard(state, origin, parse(chargeParameters, parameters), emit),
  'GET /v1/payment_intents': listNewest('paymentIntents'),
  'GET /v1/payment_intents/*': retrieve('paymentIntents'),
  'POST /v1/refunds': (state, { parameters }, _id, emit) =>
    makeRefund(state, parse(refundParameters, parameters), emit),
  'GET /v1/refunds': listNewest('refunds'),
  'GET /v1/refunds/*': retrieve('refunds'),
  'GET /v1/disputes': listNewest('disputes'),
  'GET /v1/disputes/*': retrieve('disputes'),
  'GET /v1/events': listNewest('events'),
  'GET /v1/events/*': retrieve('events'),
  'POST /v1/billing_portal/sessions': openPortal,
};

const ID = /(?<=\/)(?:cs|pi|pm|re|dp|evt)_[a-z0-9_]+/;
const NOT_FOUND = 404;

/** Answers a request of the API. Throws `ApiError`. */
export const answerApi = (state: State, request: ApiRequest, emit: Emit): object => {
  const id = ID.exec(request.path)?.[0] ?? '';
  const work = table[`${request.method} ${id === '' ? request.path : request.path.replace(id, '*')}`];
  if (!work) throw new ApiError(NOT_FOUND, 'resource_missing', `Unrecognized request URL (${request.path})`);
  return hideOwn(work(state, request, id, emit));
};

/** Leaves out fields that the processor does not show. */
const hideOwn = (resource: object): object => {
  const { payment_intent_metadata: _, conduct: __, session: ___, ...fields } = resource as Partial<Resource>;
  return fields;
};
