import type {
  Command,
  CommandOf,
  Event,
  EventOf,
  PayloadOf,
  ReplyOf,
  RequestOf,
  Surface,
  Task,
  TaskOf,
} from '@tds/contracts';
import type { Context, ListenerContext, TaskContext } from '@tds/messaging';
import type { Handlers, Kit, ServiceDefinition } from './service.ts';

/** A handler that still needs its dependencies. */
type Unbound<Message, Deps, Input, Ctx, Output> = {
  readonly message: Message;
  readonly run: (deps: Deps, input: Input, context: Ctx) => Promise<Output>;
};
type CommandHandler<C extends Command, Deps> = Unbound<C, Deps, RequestOf<C>, Context, ReplyOf<C>>;
type MessageHandler<M extends Task | Event, Deps, Ctx> = Unbound<M, Deps, PayloadOf<M>, Ctx, void>;
type ScheduleHandler<Deps> = (deps: Deps, context: Context) => Promise<void>;

/** Answers a command; request and reply are the contract's. */
export const onCommand = <C extends Command, Deps>(
  message: C,
  run: (deps: Deps, request: RequestOf<C>, context: Context) => Promise<ReplyOf<C>>,
): CommandHandler<C, Deps> => ({ message, run });

/** Works on a task. */
export const onTask = <T extends Task, Deps>(
  message: T,
  run: (deps: Deps, payload: PayloadOf<T>, context: TaskContext) => Promise<void>,
): MessageHandler<T, Deps, TaskContext> => ({ message, run });

/** Acts upon an event that the service subscribes to. */
export const onEvent = <E extends Event, Deps>(
  message: E,
  run: (deps: Deps, payload: PayloadOf<E>, context: ListenerContext) => Promise<void>,
): MessageHandler<E, Deps, ListenerContext> => ({ message, run });

/** Takes an event as a hint, on every instance. */
export const onBroadcast = <E extends Event, Deps>(
  message: E,
  run: (deps: Deps, payload: PayloadOf<E>, context: Context) => Promise<void>,
): MessageHandler<E, Deps, Context> => ({ message, run });

/** Runs by the clock; the surface says how often. */
export const onSchedule = <Deps>(run: (deps: Deps, context: Context) => Promise<void>): ScheduleHandler<Deps> =>
  run;

// A kind of which the surface has nothing need not be given.
type NoneIfEmpty<Name extends string, All> = keyof All extends never
  ? { readonly [Kind in Name]?: never }
  : { readonly [Kind in Name]: All };

type ByName<M, Deps, Ctx> = {
  readonly [E in M as E extends Task | Event ? E['name'] : never]: E extends Task | Event
    ? MessageHandler<E, Deps, Ctx>
    : never;
};

type HandlerMap<S extends Surface, Deps> = NoneIfEmpty<
  'commands',
  { readonly [C in CommandOf<S> as C['name']]: CommandHandler<C, Deps> }
> &
  NoneIfEmpty<'tasks', ByName<TaskOf<S>, Deps, TaskContext>> &
  NoneIfEmpty<'subscriptions', ByName<S['subscriptions'][number], Deps, ListenerContext>> &
  NoneIfEmpty<'broadcasts', ByName<S['broadcasts'][number], Deps, Context>> & {
    readonly onOwnLostEvents?: Partial<ByName<EventOf<S>, Deps, ListenerContext>>;
  } & NoneIfEmpty<'schedules', { readonly [Name in keyof S['schedules']]: ScheduleHandler<Deps> }>;

const messageKinds = ['commands', 'tasks', 'subscriptions', 'broadcasts', 'onOwnLostEvents'] as const;
type AnyMap = Readonly<Record<string, Unbound<unknown, never, never, never, unknown>>>;
type AnyHandlerMap = { readonly [Kind in (typeof messageKinds)[number]]?: AnyMap } & {
  readonly schedules?: Readonly<Record<string, ScheduleHandler<never>>>;
};

type ServiceParts<S extends Surface, Deps, Overrides> = {
  readonly surface: S;
  /** Creates the dependencies of handlers; register everything that it starts with `kit.onStop`. */
  readonly createDeps: (
    kit: Kit<S>,
    environment: NodeJS.ProcessEnv,
    overrides?: Overrides,
  ) => Deps | Promise<Deps>;
  /** Starts work besides messages, such as an HTTP server. */
  readonly start?: (deps: NoInfer<Deps>, kit: Kit<S>, environment: NodeJS.ProcessEnv) => Promise<void>;
};

export type Service<S extends Surface = Surface, Overrides = never> = ServiceDefinition<S> & {
  /** The service with other parts in the place of some, for tests. */
  with(overrides: Overrides): ServiceDefinition<S>;
};

const mapValues = <Value, Result>(
  all: Readonly<Record<string, Value>> = {},
  change: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, change(value)]));

const bind = (parts: AnyHandlerMap, deps: unknown) => {
  const bindAll = (all?: AnyMap) =>
    mapValues(
      all,
      ({ run }) =>
        (input: unknown, context: unknown) =>
          run(deps as never, input as never, context as never),
    );
  return {
    ...Object.fromEntries(messageKinds.map((kind) => [kind, bindAll(parts[kind])])),
    schedules: mapValues(parts.schedules, (run) => (context: Context) => run(deps as never, context)),
  };
};

/** A service: its surface, its dependencies, and one handler per message; the compiler names missing ones. */
export function defineService<const S extends Surface, Deps, Overrides = never>(
  parts: ServiceParts<S, Deps, Overrides> & HandlerMap<S, NoInfer<Deps>>,
): Service<S, Overrides> {
  const { surface, createDeps } = parts;
  const startWith = (overrides?: Overrides): ServiceDefinition<S> => ({
    surface,
    start: async (kit, environment) => {
      const deps = await createDeps(kit, environment, overrides);
      await parts.start?.(deps, kit, environment);
      return bind(parts as unknown as AnyHandlerMap, deps) as unknown as Handlers<S>;
    },
  });
  return { ...startWith(), with: startWith };
}
