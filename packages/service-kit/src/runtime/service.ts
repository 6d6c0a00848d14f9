import type {
  CommandOf,
  Event,
  EventOf,
  PayloadOf,
  ReplyOf,
  RequestOf,
  Surface,
  TaskOf,
} from '@tds/contracts';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { SqlExecutor, Transactional } from '../db/sql.ts';
import type { Log, WideRecord } from '../log/log.ts';
import type { Objects } from '../objects/object-store.ts';
import type { Bodies } from '../redis/bodies.ts';
import type { Projections } from '../redis/projections.ts';
import type { Instruments } from '../telemetry/instruments.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export type { SqlExecutor, Transactional };

/** The context of every command, task and event. */
export type Context = {
  /** X-Request-Id of the HTTP request that set this off, or an id of its own. */
  readonly requestId: string;
  readonly accountId: string | null;
  /** Fires when the caller's deadline has passed or the process stops taking work. */
  readonly signal: AbortSignal;
  /** Fields for the one wide record that the kit writes per message. Never secrets, never bodies. */
  readonly record: WideRecord;
};

export type ListenerContext = Context & {
  /** The outbox row's id: the same however often the event is delivered. */
  readonly messageId: string;
  /** Runs `effect` in the caller's transaction unless this listener has done so for this message before. */
  once(tx: SqlExecutor, effect: () => Promise<void>): Promise<void>;
  /**
   * Like `once`, but only if this listener has acted upon no newer version of the event's aggregate, which its contract
   * has to declare: so events that arrive out of order still end in the newest state.
   */
  onceIfNewest(tx: SqlExecutor, effect: () => Promise<void>): Promise<void>;
};

export type TaskContext = Context & {
  readonly taskId: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /**
   * To be called right before a handler does what others see: a call of a customer's endpoint, a mail. It is saved that this
   * attempt has begun it; from then on the attempt counts, also if this process dies, stops in order, or throws
   * `RetryLater` as no attempt. So a third party is called no more often than the contract has attempts. Once per attempt. Throws
   * `LeaseLost` if another worker has taken the task over, and `NoAttemptLeft` if the last attempt began and was cut off.
   */
  beginEffect(): Promise<void>;
  /**
   * Ends the task in the caller's transaction. Throws `LeaseLost` (which rolls the transaction back) when another
   * worker has taken the task over: so a frozen worker that wakes up late changes nothing.
   */
  complete(tx: SqlExecutor): Promise<void>;
  /** Like `complete`, but leaves a dead letter with the reason. Used with the owner's own error state. */
  bury(tx: SqlExecutor, reason: string): Promise<void>;
};

type Handler<Input, Ctx, Output> = (input: Input, context: Ctx) => Promise<Output>;
type ByName<M, Ctx> = {
  [E in M as E extends Event ? E['name'] : never]: E extends Event ? Handler<PayloadOf<E>, Ctx, void> : never;
};

/** One handler per message, bound to what the service is made of. */
export type Handlers<S extends Surface> = {
  commands: {
    [C in CommandOf<S> as C['name']]: Handler<RequestOf<C>, Context, ReplyOf<C>>;
  };
  tasks: { [T in TaskOf<S> as T['name']]: Handler<PayloadOf<T>, TaskContext, void> };
  subscriptions: ByName<S['subscriptions'][number], ListenerContext>;
  broadcasts: ByName<S['broadcasts'][number], Context>;
  schedules: { [Name in keyof S['schedules']]: (context: Context) => Promise<void> };
  /**
   * For events of its own that the stream has and its database lacks: it is a copy from before, and others have received what it
   * knows nothing of. At least once for each; `once` makes it once.
   */
  onOwnLostEvents?: Partial<ByName<EventOf<S>, ListenerContext>>;
};

export type EnqueueOptions = {
  readonly delayMs?: number;
  /** Nothing is added while a task of this name with this key is still to be done, waiting or running. */
  readonly key?: string;
  /**
   * Beside `key`: nothing is added either while the last task of this key is an open dead letter.
   * For sweeps, which otherwise begin anew for ever what has been given up.
   */
  readonly unlessDead?: boolean | undefined;
  /** Of the tasks of one partition only as many run at a time as the contract's `maxInFlightPerPartition` says. */
  readonly partition?: string;
};

/** Sends from inside a transaction: nothing leaves unless it commits, and then it is certain to leave. */
export type Sender<S extends Surface> = {
  emit<E extends EventOf<S>>(event: E, payload: PayloadOf<E>): Promise<void>;
  /** Resolves to the id of the task, or of the open one that has the same key. */
  enqueue<T extends TaskOf<S>>(task: T, payload: PayloadOf<T>, options?: EnqueueOptions): Promise<string>;
  /**
   * Takes a task away that is still to be done; false if it has ended. If it is running, its signal fires, in this process
   * right after the commit and in others within a third of its lease, and it can commit nothing through its lease.
   */
  cancel(id: string): Promise<boolean>;
};

export type Messaging<S extends Surface> = {
  /** One transaction in which state changes and messages are saved together; wakes relay and workers after commit. */
  transaction<Tx extends SqlExecutor, T>(
    client: Transactional<Tx>,
    work: (tx: Tx, send: Sender<S>) => Promise<T>,
  ): Promise<T>;
  /**
   * Sends an event to the broadcasts of all instances, now and at most once: nothing is saved. For events that no service
   * subscribes to, and whose loss a receiver notices by itself.
   */
  hint<E extends EventOf<S>>(event: E, payload: PayloadOf<E>): void;
  /** To be called after a SQL function has written outbox or task rows by itself. */
  wake(): void;
};

export type Call<S extends Surface> = <C extends S['calls'][number]>(
  command: C,
  request: RequestOf<C>,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
) => Promise<ReplyOf<C>>;

type WhenDue<S extends Surface> = {
  [Name in keyof S['schedules']]: S['schedules'][Name] extends { readonly whenDue: true }
    ? Name & string
    : never;
}[keyof S['schedules']];

/** Work that is due and not done. */
export type Backlog = {
  readonly count: number;
  /** For how long the first of them has waited; left out if that says nothing. */
  readonly oldestSeconds?: number;
};

/** A service's own metrics; labels have few values, and never ids. */
export type Measures = Pick<Metrics, 'counter' | 'gauge' | 'histogram' | 'onScrape'>;

/** The parts of the kit that a service uses. */
export type Kit<S extends Surface> = {
  readonly surface: S;
  /** Connections with the service's runtime role; absent only if the service owns no database. */
  readonly db: Pool;
  /** The one that drops nothing: limits, and the small records that admission reads. */
  readonly redis: Redis;
  readonly objects: Objects;
  readonly projections: Projections;
  /** In the Redis that may drop anything. */
  readonly bodies: Bodies;
  readonly messaging: Messaging<S>;
  readonly call: Call<S>;
  readonly log: Log;
  /** The kit's metrics, for /metrics. */
  readonly metrics: Instruments;
  readonly measures: Measures;
  /** Registers something to stop; stops run in reverse order of registration. */
  onStop(name: string, stop: () => Promise<void>): void;
  /** Makes known at which address a part can be reached (`http`); `startServices` answers with these. */
  announce(name: string, address: string): void;
  /**
   * Runs when this process finds that another database has taken the place of its own (a copy that was put back, a standby): what
   * it remembers of rows may be wrong from then on. Tried again until it has succeeded.
   */
  onDatabaseSwapped(name: string, listener: () => void | Promise<void>): void;
  /** Adds a named check to /ready; it throws while the part is not ready. */
  onReady(name: string, check: () => Promise<void>): void;
  /**
   * Says when a schedule of the surface is due that runs `whenDue`: a query of one moment, that of the first of its rows, through an
   * index. It is asked in one statement with what the kit looks for, so that a schedule costs nothing while nothing is due.
   */
  onDue(schedule: WhenDue<S>, question: string): void;
  /** Counts a backlog of the service's own tables at each scrape: what operators are alerted by. */
  onBacklog(what: string, read: () => Promise<Backlog>): void;
};

/** A service as its `main.ts`, the local run and the tests start it. */
export type ServiceDefinition<S extends Surface = Surface> = {
  readonly surface: S;
  /** Builds the service from its environment; everything started here is stopped through `kit.onStop`. */
  start(kit: Kit<S>, environment: NodeJS.ProcessEnv): Promise<Handlers<S>>;
};
