import { randomUUID } from 'node:crypto';
import { creditsLedger, identity as identityContract, purchaseRef } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { fakeLedger } from '@tds/reservations/testing';
import { createPaymentEventHandler } from '../application/events.ts';
import type { Deps } from '../deps.ts';
import type { StoredPurchase } from '../store/purchases.ts';
import { grantPurchases, settlePurchase } from '../tasks.ts';
import type { PaymentEvent } from '../upstream/wire.ts';
import { fakeIdentity } from './fake-identity.ts';
import { startTables } from './stored-purchases.ts';

/** Whether a call fails before the other side acts, or after it, so that its answer is lost. */
export type CallFault = 'none' | 'before' | 'after';
type Task = { readonly name: 'grantPurchases' | 'settlePurchase'; readonly payload: never };
type Send = Parameters<Parameters<Deps['messaging']['transaction']>[1]>[1];

const EVERY_TASK = 2_000;

/** Billing's rules on a real database, with the ledger, the processor and the queue of tasks in memory, which fail on request. */
export const startBooks = async () => {
  const tables = await startTables();
  const ledger = fakeLedger({ free: 0 });
  const identity = fakeIdentity();
  let faults: CallFault[] = [];
  const tasks: Task[] = [];
  const emitted: { readonly accountId: string; readonly tier: string }[] = [];
  const refunds = new Map<string, { id: string; amount: number }>();
  const rejected = new Set<string>();
  const fail = async <T>(act: () => Promise<T>): Promise<T> => {
    const fault = faults.shift() ?? 'none';
    if (fault === 'before') throw new Error('unreachable');
    const answer = await act();
    if (fault === 'after') throw new Error('the answer is lost');
    return answer;
  };
  type Answer = (request: never) => Promise<unknown>;
  const answersOf = (contract: object, commands: object): [unknown, Answer][] =>
    Object.entries(commands).map(([name, run]) => [(contract as Record<string, unknown>)[name], run]);
  const answers = new Map([
    ...answersOf(creditsLedger, ledger.commands),
    ...answersOf(identityContract, identity.commands),
  ]);
  const call = async (command: unknown, request: never) =>
    fail(async () => (answers.get(command) as Answer)(request));
  const transaction = async <T>(
    db: typeof tables.db,
    work: (tx: never, send: Send) => Promise<T>,
  ): Promise<T> => {
    const newTasks: Task[] = [];
    const events: typeof emitted = [];
    const send = {
      emit: async (_event: unknown, payload: never) => void events.push(payload),
      enqueue: async (task: { readonly name: Task['name'] }, payload: never) =>
        void newTasks.push({ name: task.name, payload }),
    };
    const answer = await db.$transaction((tx) => work(tx as never, send as never));
    tasks.push(...newTasks);
    emitted.push(...events);
    return answer;
  };
  const processor = {
    refund: async (payment_intent: string, refundId: string) =>
      fail(async () => {
        if (rejected.has(payment_intent)) return null;
        const refund = refunds.get(refundId) ?? { id: `re_${randomUUID()}`, amount: 900 };
        refunds.set(refundId, refund);
        return { ...refund, payment_intent, currency: 'usd', status: 'succeeded' };
      }),
    readSession: async () => null,
  };
  const log = { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} };
  const base = {
    ...{ call, messaging: { transaction }, log, db: tables.db, processor },
    now: async () => new Date(),
  };
  const deps = { ...base, applyEvent: createPaymentEventHandler(base as never) } as never as Deps;
  const context = { ...testContext(), taskId: 'task', attempt: 1, isLastAttempt: false };
  const task = { ...context, complete: async () => {} };
  const run = { grantPurchases: grantPurchases.run, settlePurchase: settlePurchase.run };
  return {
    ...{ tables, ledger, identity, deps, tasks, emitted, refunds, rejected, context },
    fail: (next: readonly CallFault[]): void => {
      faults = [...next];
    },
    apply: (event: PaymentEvent) => deps.applyEvent(event, context.signal),
    net: ({ id }: Pick<StoredPurchase, 'id'>) => ledger.block(purchaseRef(id))?.net ?? 0,
    /** Runs tasks until none is left; one that fails is repeated. Resolves to how many ran. */
    drain: async (): Promise<number> => {
      for (let ran = 0; ran < EVERY_TASK; ran += 1) {
        const next = tasks.shift();
        if (!next) return ran;
        await run[next.name](deps, next.payload, task as never).catch(() => tasks.push(next));
      }
      throw new Error('the tasks never end');
    },
    stop: () => tables.stop(),
  };
};
export type Books = Awaited<ReturnType<typeof startBooks>>;

const seconds = () => Math.floor(Date.now() / 1_000);

/** An event of the processor. */
export const newEvent = (type: string, object: Record<string, unknown>): PaymentEvent => ({
  ...{ id: `evt_${randomUUID()}`, type, livemode: false, created: seconds(), data: { object } },
});

/** The session of a purchase at the processor. */
export const sessionOf = ({ id, block, amount, currency }: StoredPurchase, fields: object = {}) => ({
  ...{ id: `cs_${id}`, client_reference_id: id, payment_status: 'paid', amount_total: amount, currency },
  ...{ payment_intent: `pi_${id}`, customer: null, expires_at: seconds() + 1_800 },
  metadata: { purchase_id: id, block: String(block) },
  ...fields,
});
