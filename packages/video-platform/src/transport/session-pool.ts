import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { Limits } from '../config/limits.ts';
import type { Exit, RetireCause, SessionChange } from '../types.ts';
import { connectVia } from './connect-via.ts';
import { createPace, type Pace } from './pace.ts';

/** One address that the platform sees, with its connections; `cookie` is its consent cookie. */
export type Session = {
  readonly dispatcher: Dispatcher;
  readonly pace: Pace;
  readonly openedAtMs: number;
  usedAtMs: number;
  cookie: string | null;
  requests: number;
  requestsUnderWay: number;
  /** The platform has answered through it. */
  isProven: boolean;
  /** The subject whose last answer was not the platform's own, although the session is proven; null if there is none. */
  foreignTo: string | null;
};

const NONE: ReadonlySet<Session> = new Set();

/** Connections of a fixed exit, and sessions of a rotating one. */
const CONNECTIONS_PER_EXIT = 64;
/** Subjects whose session is remembered: a video's captions leave by the address that asked its player. */
const MAX_SUBJECTS = 1_000;
const LOAD_HALF_LIFE_MS = 30_000;
/** Of the requests of a session, for a subject that is asked about again and again. */
const MAX_OVERUSE = 2;

/** True if each session has another address. */
export const isRotating = ({ proxyUrl = '', sourceAddress = '' }: Exit): boolean =>
  proxyUrl.startsWith('rotating+') || proxyUrl.includes('{session}') || sourceAddress.includes('/');

/** An exit with its addresses: a fixed exit has one session for good, a rotating exit opens and retires them. */
export class OpenExit {
  readonly name: string;
  /** Its bytes are paid for. */
  readonly isProxied: boolean;
  readonly isRotating: boolean;
  readonly #exit: Exit;
  readonly #limits: Limits;
  readonly #onSession: (change: SessionChange) => void;
  readonly #maxSessions: number;
  readonly #sessions = new Set<Session>();
  readonly #sessionBySubject = new LRUCache<string, Session>({ max: MAX_SUBJECTS });
  readonly #closing = new Set<Dispatcher>();
  #load = { requests: 0, atMs: 0 };

  constructor(exit: Exit, limits: Limits, onSession: (change: SessionChange) => void = () => undefined) {
    this.name = exit.name;
    this.isProxied = exit.proxyUrl !== undefined;
    this.#exit = exit;
    this.#onSession = onSession;
    this.#limits = limits;
    this.isRotating = isRotating(exit);
    this.#maxSessions = this.isRotating ? CONNECTIONS_PER_EXIT : 1;
  }

  /** The session that asked about this subject; else an idle one, the least used first; else a new one. None of `triedSessions` if it rotates. */
  sessionFor(subject: string, triedSessions: ReadonlySet<Session> = NONE): Session {
    this.#retireWorn();
    const own = this.#sessionBySubject.get(subject);
    if (own !== undefined && !triedSessions.has(own) && this.#isReusable(own)) return own;
    const session = this.#leastUsed(triedSessions);
    if (this.isRotating && subject !== '') this.#sessionBySubject.set(subject, session);
    return session;
  }

  /** Keeps a session busy from the moment of its choice, so that others in the same moment take another one. */
  async hold<T>(session: Session, work: () => Promise<T>): Promise<T> {
    session.requestsUnderWay += 1;
    try {
      return await work();
    } finally {
      session.requestsUnderWay -= 1;
    }
  }

  /** Counts a request that a session sends. */
  count(session: Session): void {
    this.#load = { requests: this.load() + 1, atMs: performance.now() };
    session.usedAtMs = performance.now();
    session.requests += 1;
  }

  /** Ends a session; requests under way end by their own deadlines. A fixed exit keeps its only one. */
  retire(session: Session, cause: RetireCause): void {
    if (!this.isRotating || !this.#sessions.delete(session)) return;
    this.#report(cause, session.isProven);
    const { dispatcher } = session;
    this.#closing.add(dispatcher);
    const forget = () => this.#closing.delete(dispatcher);
    void dispatcher.close().then(forget, forget);
  }

  /** Requests of late, of which those before half a minute count half. */
  load(): number {
    return this.#load.requests * 0.5 ** ((performance.now() - this.#load.atMs) / LOAD_HALF_LIFE_MS);
  }

  /** Milliseconds until one of its addresses may ask. */
  waitMs(): number {
    if (this.#sessions.size < this.#maxSessions) return 0;
    return Math.min(...[...this.#sessions].map(({ pace }) => pace.waitMs()));
  }

  async close(): Promise<void> {
    const open = [...this.#sessions].map(({ dispatcher }) => dispatcher);
    this.#sessions.clear();
    await Promise.all([...open, ...this.#closing].map((dispatcher) => dispatcher.destroy()));
  }

  /** A session may finish what it began, even if it is worn. */
  #isReusable(own: Session): boolean {
    const isSpent = own.requests >= MAX_OVERUSE * this.#limits.requestsPerSession;
    return this.#sessions.has(own) && own.pace.waitMs() === 0 && !isSpent;
  }

  #leastUsed(triedSessions: ReadonlySet<Session>): Session {
    const sessions = [...this.#sessions]
      .filter((session) => !this.#isWorn(session) && !(this.isRotating && triedSessions.has(session)))
      .toSorted(
        (one, other) =>
          one.requestsUnderWay - other.requestsUnderWay ||
          one.pace.waitMs() - other.pace.waitMs() ||
          one.requests - other.requests,
      );
    const [best] = sessions;
    const isFree = best !== undefined && best.requestsUnderWay === 0 && best.pace.waitMs() === 0;
    if (best !== undefined && (isFree || this.#sessions.size >= this.#maxSessions)) return best;
    // Worn sessions wait for their captions, but no longer than there are tunnels.
    const [oldest] = this.#sessions;
    if (oldest !== undefined && this.#sessions.size >= this.#maxSessions) this.retire(oldest, 'worn');
    return this.#open();
  }

  #open(): Session {
    const limits = this.#limits;
    const session: Session = {
      dispatcher: connectVia(
        this.#exit,
        limits,
        // A tunnel that is kept is an address that is known to be good.
        this.isRotating
          ? { connections: 1, keepAliveTimeout: limits.sessionMs }
          : { connections: CONNECTIONS_PER_EXIT },
      ),
      pace: createPace(limits.requestsPerMinute),
      openedAtMs: performance.now(),
      usedAtMs: performance.now(),
      cookie: null,
      requests: 0,
      requestsUnderWay: 0,
      isProven: false,
      foreignTo: null,
    };
    this.#sessions.add(session);
    this.#report('opened', false);
    return session;
  }

  #report(change: SessionChange['change'], isProven: boolean): void {
    if (this.isRotating) this.#onSession({ exit: this.name, change, isProven });
  }

  /** It gets no new subject. A fixed exit is never worn. */
  #isWorn({ requests, openedAtMs }: Session): boolean {
    const { requestsPerSession, sessionMs } = this.#limits;
    return this.isRotating && (requests >= requestsPerSession || performance.now() - openedAtMs >= sessionMs);
  }

  /** Retires worn sessions, but not while a call may still want its captions. */
  #retireWorn(): void {
    const usedBefore = performance.now() - this.#limits.callMs;
    for (const session of this.#sessions)
      if (session.usedAtMs < usedBefore && this.#isWorn(session)) this.retire(session, 'worn');
  }
}
