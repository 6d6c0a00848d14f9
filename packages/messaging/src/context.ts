import type { SqlExecutor, Transactional } from '@tds/base';
import type { WideRecord } from '@tds/base/internals';
import type { EventOf, PayloadOf, Surface, TaskOf } from '@tds/contracts';

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
  /** 1 for the first. It counts from its begin, also if its worker dies; not if the process stops in order, or it throws `RetryLater` as no attempt. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /**
   * Ends the task in the caller's transaction. Throws `LeaseLost` (which rolls the transaction back) when another
   * worker has taken the task over: so a frozen worker that wakes up late changes nothing.
   */
  complete(tx: SqlExecutor): Promise<void>;
};

export type TaskHandler = (payload: unknown, context: TaskContext) => Promise<void>;

export type EnqueueOptions = {
  readonly delayMs?: number;
  /** Nothing is added while a task of this name with this key is still to be done, waiting or running. */
  readonly key?: string;
  /** With a key: the open task comes after this delay, too, unless it is running. */
  readonly moves?: boolean;
  /** The tasks of one name and partition (an account, a purchase) run one at a time, over all instances, in the order of their times. */
  readonly partition?: string;
};

/** Sends from inside a transaction: nothing leaves unless it commits, and then it is certain to leave. */
export type Sender<S extends Surface> = {
  emit<E extends EventOf<S>>(event: E, payload: PayloadOf<E>): Promise<void>;
  /** Resolves to the id of the task, or of the open one that has the same key. */
  enqueue<T extends TaskOf<S>>(task: T, payload: PayloadOf<T>, options?: EnqueueOptions): Promise<string>;
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
