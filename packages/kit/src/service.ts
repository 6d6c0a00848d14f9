import type { Bodies, Instruments, Log, Projections } from '@tds/base';
import type { CommandOf, Event, EventOf, PayloadOf, ReplyOf, RequestOf, Surface, TaskOf } from '@tds/contracts';
import type { Context, ListenerContext, Messaging, TaskContext } from '@tds/messaging';
import type { Objects } from '@tds/objects';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';

type Handler<Input, Ctx, Output> = (input: Input, context: Ctx) => Promise<Output>;
type ByName<M, Ctx> = {
  [E in M as E extends Event ? E['name'] : never]: E extends Event ? Handler<PayloadOf<E>, Ctx, void> : never;
};

/** One handler per message, with its dependencies. */
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

/** The caller of another service: its request, and the time that it has left. */
export type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;

export type Call<S extends Surface> = <C extends S['calls'][number]>(
  command: C,
  request: RequestOf<C>,
  context: CallContext,
) => Promise<ReplyOf<C>>;

type WhenDue<S extends Surface> = {
  [Name in keyof S['schedules']]: S['schedules'][Name] extends { readonly whenDue: true }
    ? Name & string
    : never;
}[keyof S['schedules']];

/** Due work that is not done. */
export type Backlog = {
  readonly count: number;
  /** For how long the first of them has waited; left out if that says nothing. */
  readonly oldestSeconds?: number;
};

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
  /** Those of the kit, and what makes a service's own; labels have few values, and never ids. */
  readonly metrics: Instruments;
  /** Registers something to stop; stops run in reverse order of registration. */
  onStop(name: string, stop: () => Promise<void>): void;
  /** Makes known at which address a part can be reached (`http`); a running service has these. */
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
   * index. It is asked in one statement with what the kit polls for, so that a schedule costs nothing while nothing is due.
   */
  onDue(schedule: WhenDue<S>, query: string): void;
  /** Counts a backlog of the service's own tables at each scrape, for alerts. */
  onBacklog(what: string, read: () => Promise<Backlog>): void;
};

/** A service as its `main.ts`, the local run and the tests start it. */
export type ServiceDefinition<S extends Surface = Surface> = {
  readonly surface: S;
  /** Builds the service from its environment; everything started here is stopped through `kit.onStop`. */
  start(kit: Kit<S>, environment: NodeJS.ProcessEnv): Promise<Handlers<S>>;
};
