import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type LocalServerOptions, startLocalServer } from '../http/local-server.ts';
import { type CardConduct, setUpCard } from './cards.ts';
import { createDeliveries, createEmit, type Receiver } from './deliveries.ts';
import { createFaults, type FaultInput } from './faults.ts';
import { closeDispute, failRefund, makeRefund, openDispute } from './money-back.ts';
import { handle } from './server.ts';
import { expireSession, payForSession } from './sessions.ts';
import type { Simulation } from './simulation.ts';
import { type Collection, collections, createState, type Price, type Resource } from './state.ts';

type StoredState = Record<Collection, Resource[]> & { readonly answered: [string, never][] };

/** Keeps the objects that services remember over a restart. */
const persistState = ({ state, answered }: Simulation, file: string): { save(): void } => {
  if (existsSync(file)) {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as StoredState;
    for (const collection of collections)
      for (const resource of stored[collection] ?? []) state[collection].set(resource.id, resource);
    for (const [key, answer] of stored.answered) answered.set(key, answer);
  }
  const save = (): void => {
    const stored = Object.fromEntries(collections.map((name) => [name, [...state[name].values()]]));
    const temporaryFile = `${file}.new`;
    writeFileSync(temporaryFile, JSON.stringify({ ...stored, answered: [...answered] }), { mode: 0o600 });
    renameSync(temporaryFile, file);
  };
  return { save };
};

export type PaymentSimulatorOptions = LocalServerOptions & {
  /** The public address of its pages; by default the address that it listens on. */
  readonly publicOrigin?: string;
  readonly prices?: readonly Price[];
  readonly receiver?: Receiver;
  readonly now?: () => number;
  /** Keeps its objects over a restart; without a file they end with it. */
  readonly file?: string;
};

/** The default prices of the blocks of credits, in cents. */
export const defaultPrices: readonly Price[] = [
  [5, 50],
  [20, 100],
  [50, 150],
  [200, 250],
  [1_000, 500],
].map(([block, unitAmount = 0]) => ({ lookupKey: `credits_${block}`, unitAmount, currency: 'usd' }));

/** The acts of people and banks, and faults; over HTTP `POST /control/<name>` with a JSON list of the arguments. */
const buildActions = ({ state, emit, deliveries, faults, answered, origin }: Simulation) => ({
  fault: (given: FaultInput): void => faults.add(given),
  /** As the processor does with idempotency keys after a day. */
  forgetKeys: (): void => answered.clear(),
  clearFaults: (): void => faults.clear(),
  sendTo: deliveries.sendTo,
  release: deliveries.release,
  whenIdle: deliveries.whenIdle,
  pay: (sessionId: string): Resource => payForSession(state, origin, sessionId, emit),
  setUpCard: (sessionId: string, conduct?: CardConduct): Resource => setUpCard(state, sessionId, emit, conduct),
  expire: (sessionId: string): Resource => expireSession(state, sessionId, emit),
  refund: (intentId: string, amount?: number): Resource =>
    makeRefund(state, { payment_intent: intentId, metadata: {}, amount }, emit),
  failRefund: (refundId: string): Resource => failRefund(state, refundId, emit),
  dispute: (intentId: string, amount?: number): Resource => openDispute(state, intentId, emit, amount),
  closeDispute: (disputeId: string, status: 'won' | 'lost'): Resource =>
    closeDispute(state, disputeId, status, emit),
  /** Emits an event that has not happened. */
  forge: (type: string, object: { readonly id: string; readonly [field: string]: unknown }): void =>
    emit(type, { object: 'forged', ...object }),
  /** An event without a meaning, which is not delivered. */
  noise: (): void => {
    faults.add({ kind: 'lose', match: 'product.updated' });
    emit('product.updated', { id: 'prod_credits', object: 'product' });
  },
  /** Delivers an event again. */
  resend: (event: Resource): void => deliveries.send(event),
  /** In the order in which they happened. */
  events: (): Resource[] => [...state.events.values()],
  refunds: (): Resource[] => [...state.refunds.values()],
  disputes: (): Resource[] => [...state.disputes.values()],
  sessions: (): Resource[] => [...state.sessions.values()],
  cards: (): Resource[] => [...state.paymentMethods.values()],
  intents: (): Resource[] => [...state.paymentIntents.values()],
});

/** Starts the simulator. */
export const startPaymentSimulator = async (options: PaymentSimulatorOptions = {}) => {
  const state = createState(options.prices ?? defaultPrices, options.now ?? Date.now);
  const faults = createFaults();
  const deliveries = createDeliveries(state, faults);
  const emit = createEmit(state, deliveries.deliver);
  const simulation: Simulation = { state, faults, deliveries, emit, answered: new Map(), origin: '' };
  const storage = options.file === undefined ? null : persistState(simulation, options.file);
  const server = await startLocalServer(options, async (request, response) => {
    await handle(simulation, buildActions(simulation), request, response);
    if (request.method === 'POST') storage?.save();
  });
  simulation.origin = options.publicOrigin ?? `http://127.0.0.1:${server.port}`;
  deliveries.sendTo(options.receiver ?? null);
  return {
    origin: simulation.origin,
    ...buildActions(simulation),
    close: async (): Promise<void> => {
      await deliveries.stop();
      await server.close();
    },
  };
};
export type PaymentSimulator = Awaited<ReturnType<typeof startPaymentSimulator>>;
