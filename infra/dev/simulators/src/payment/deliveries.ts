import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Faults } from './faults.ts';
import { add, newId, type Resource, type State, seconds } from './state.ts';

export type Receiver = {
  readonly url: string;
  readonly secret: string;
  /** How long its answer is waited for. */
  readonly timeoutMs?: number;
};
type Deliver = (event: Resource) => void;

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;
const MAX_ATTEMPTS = 30;
const TIMEOUT_MS = 20_000;
const OK = 200;
const REDIRECT = 300;

/** The header with which the processor signs the bytes of an event. */
export const signatureOf = (body: string, secret: string, timestamp: number): string =>
  `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

const isSuccess = (status: number): boolean => status >= OK && status < REDIRECT;

/** Ends early with the signal. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal, ref: false }).catch(() => {});

/** Delivers one event until the receiver says yes. */
const createRetryingPost = (state: State, ending: AbortSignal) => {
  const post = async (event: Resource, { url, secret, timeoutMs = TIMEOUT_MS }: Receiver): Promise<boolean> => {
    const body = JSON.stringify(event);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureOf(body, secret, seconds(state)),
    };
    const signal = AbortSignal.any([ending, AbortSignal.timeout(timeoutMs)]);
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await answer.arrayBuffer();
    return isSuccess(answer.status);
  };
  return async (event: Resource, to: Receiver, delayMs: number): Promise<void> => {
    if (delayMs > 0) await pause(delayMs, ending);
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !ending.aborted; attempt += 1) {
      // A receiver that is away is asked again like one that says no.
      if (await post(event, to).catch(() => false)) return;
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS), ending);
    }
  };
};

/** Delivers events to a receiver, again and again until it says yes, as faults let it. */
export const createDeliveries = (state: State, faults: Faults) => {
  let receiver: Receiver | null = null;
  let heldEvents: Resource[] = [];
  const ending = new AbortController();
  const open = new Set<Promise<void>>();
  const postUntilAccepted = createRetryingPost(state, ending.signal);

  const send = (event: Resource, delayMs = 0): void => {
    if (receiver === null) return;
    const work = postUntilAccepted(event, receiver, delayMs).finally(() => open.delete(work));
    open.add(work);
  };

  const deliver: Deliver = (event) => {
    const fault = faults.takeForWebhook(String(event.type));
    if (fault?.kind === 'lose') return;
    if (fault?.kind === 'hold') heldEvents.unshift(event);
    else send(event, fault?.kind === 'late' ? fault.delayMs : 0);
    const copies = fault?.kind === 'repeat' ? fault.copies : 0;
    for (let copy = 0; copy < copies; copy += 1) send(event);
  };

  return {
    deliver,
    send,
    sendTo: (to: Receiver | null): void => {
      receiver = to;
    },
    /** Delivers what is held, the last one first. */
    release: (): void => {
      const all = heldEvents;
      heldEvents = [];
      for (const event of all) send(event);
    },
    /** Resolves when nothing is under way. */
    whenIdle: async (): Promise<void> => {
      while (open.size > 0) await Promise.all(open);
    },
    stop: async (): Promise<void> => {
      ending.abort();
      await Promise.all(open);
    },
  };
};
export type Deliveries = ReturnType<typeof createDeliveries>;

/** Tells what has happened to an object, as it is now. */
export type Emit = (type: string, object: Resource) => void;

export const API_VERSION = '2026-10-28.endive';

/** Keeps an event for the list, and delivers it. */
export const createEmit =
  (state: State, deliver: Deliver): Emit =>
  (type, object) => {
    const event = add(state, 'events', {
      ...{ id: newId('evt'), object: 'event', type, api_version: API_VERSION },
      data: { object: structuredClone(object) },
    });
    deliver(event);
  };
