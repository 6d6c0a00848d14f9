import type { ServiceName } from '../service-names.ts';
import type { Contract } from './define-contract.ts';
import type { Command, Event, ObjectKind, Projection } from './messages.ts';

/** A periodic run of a service. */
export type ScheduleShape = {
  readonly everySeconds: number;
  /** Every instance runs it, for state in its memory; otherwise one instance at a time. */
  readonly onEveryInstance?: boolean;
  /** Runs only while rows are due, soon after they are; `everySeconds` is the least pause of an instance. */
  readonly whenDue?: boolean;
};

/** Third parties: the video platform, a mail server, the payment processor, and receivers of webhooks. */
export type Outside = 'platform' | 'smtp' | 'processor' | 'receivers';

/** The messages and third parties that a service uses, and its schedules. */
type Dependencies = {
  /** Commands of others that it calls. */
  readonly calls?: readonly Command[];
  /** Events that it handles, each once per service. */
  readonly subscriptions?: readonly Event[];
  /** Hints that every running instance receives at once; they may be lost. */
  readonly broadcasts?: readonly Event[];
  /** Projections of others that it reads. */
  readonly reads?: readonly Projection[];
  /** Objects of others that it reads. */
  readonly readsObjects?: readonly ObjectKind[];
  /** Commands of Redis that its own scripts and `kit.redis` use, on keys that begin with its name, in the Redis for records. */
  readonly redis?: readonly string[];
  /** Third parties that it connects to: the networks of its containers let it reach no other. */
  readonly outside?: readonly Outside[];
  readonly schedules?: Readonly<Record<string, ScheduleShape>>;
};

/** A service's border: its contract gives, the rest takes. Nothing else crosses it. */
export type Surface = {
  readonly name: ServiceName;
  readonly contract: Contract;
  /** It emits events beside the running service, and takes none of the work that rows or time make. */
  readonly isTool?: boolean;
} & Required<Dependencies>;

const noDependencies = {
  calls: [],
  subscriptions: [],
  broadcasts: [],
  reads: [],
  readsObjects: [],
  redis: [],
  outside: [],
  schedules: {},
} as const;

type Defined<C extends Contract, T extends Dependencies> = Omit<typeof noDependencies, keyof T> &
  T & { readonly name: ServiceName; readonly contract: C };

/** Omitted kinds are empty. */
// biome-ignore lint/complexity/noBannedTypes: what takes nothing
export function defineSurface<C extends Contract, const T extends Dependencies = {}>(
  contract: C,
  dependencies?: T,
): Defined<C, T> {
  return { ...noDependencies, ...(dependencies as T), name: contract.service, contract };
}

/** The surface of a tool beside a running service, such as an operator's command: it emits the service's events and takes no work. */
export const toolSurface = <C extends Contract>(contract: C) => ({
  ...defineSurface({
    service: contract.service,
    commands: {},
    tasks: {},
    events: contract.events as C['events'],
    projections: {},
    objects: {},
  }),
  isTool: true as const,
});

type Values<Record> = Record[keyof Record];
export type CommandOf<S extends Surface> = Values<S['contract']['commands']>;
export type TaskOf<S extends Surface> = Values<S['contract']['tasks']>;
export type EventOf<S extends Surface> = Values<S['contract']['events']>;

const displayName = (message: { owner: string; name: string }): string => `${message.owner}.${message.name}`;

/** What a surface takes, by kind, and the messages that a contract must give. */
const listDependencies = (surface: Surface) =>
  [
    ...surface.calls.map((message) => ({ message, taken: 'called', kind: 'commands' }) as const),
    ...surface.subscriptions.map((message) => ({ message, taken: 'subscribed to', kind: 'events' }) as const),
    ...surface.broadcasts.map((message) => ({ message, taken: 'received', kind: 'events' }) as const),
    ...surface.reads.map((message) => ({ message, taken: 'read', kind: 'projections' }) as const),
    ...surface.readsObjects.map((message) => ({ message, taken: 'read', kind: 'objects' }) as const),
  ] satisfies readonly object[];

/** Writers of a kind of keys may also delete them, so only one service may write them. */
function sharedPrefixes(surfaces: readonly Surface[]): string[] {
  const kinds = surfaces.flatMap(({ contract }) => Object.values(contract.objects));
  const ownersOf = (prefix: string) => kinds.filter((kind) => kind.prefix === prefix).map(({ owner }) => owner);
  return [...new Set(kinds.map(({ prefix }) => prefix))]
    .filter((prefix) => ownersOf(prefix).length > 1)
    .map((prefix) => `objects ${prefix} are kept by ${ownersOf(prefix).join(' and ')}`);
}

/** Lists faults between surfaces: messages without a source, objects of two owners, and commands that call in a circle. */
export function checkSurfaces(surfaces: readonly Surface[]): string[] {
  const isProvided = (kind: 'commands' | 'events' | 'projections' | 'objects', message: object): boolean =>
    surfaces.some(({ contract }) => (Object.values(contract[kind]) as object[]).includes(message));
  const problems = surfaces.flatMap((surface) =>
    listDependencies(surface)
      .filter(({ kind, message }) => !isProvided(kind, message))
      .map(
        ({ message, taken }) => `${surface.name}: ${displayName(message)} is ${taken} but no service gives it`,
      ),
  );
  return [...problems, ...sharedPrefixes(surfaces), ...findCycles(surfaces)];
}

function findCycles(surfaces: readonly Surface[]): string[] {
  const callees = new Map(
    surfaces.map(({ name, calls }) => [
      name as string,
      [...new Set(calls.map(({ owner }) => owner as string))],
    ]),
  );
  const visit = (name: string, path: readonly string[]): string[] => {
    if (path.includes(name))
      return [`calls form a cycle: ${[...path.slice(path.indexOf(name)), name].join(' -> ')}`];
    return (callees.get(name) ?? []).flatMap((callee) => visit(callee, [...path, name]));
  };
  return [...new Set([...callees.keys()].flatMap((name) => visit(name, [])))].slice(0, 1);
}
