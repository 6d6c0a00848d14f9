import type { ServiceName } from '../service-names.ts';
import type { Contract } from './define-contract.ts';
import type { Command, Event, ObjectKind, Projection } from './messages.ts';

/** What a service does by the clock. */
export type ScheduleShape = {
  readonly everySeconds: number;
  /** Each running instance does it for itself, for what every one of them knows alone; otherwise one instance at a time. */
  readonly onEveryInstance?: boolean;
  /** Only while rows are due, and then soon: on each instance that finds them, so long after its run before. */
  readonly whenDue?: boolean;
};

/** What a service takes from others, and what it does by the clock. */
type Taken = {
  /** Commands of others that it calls. */
  readonly calls?: readonly Command[];
  /** Events that it acts upon, each exactly once per service. */
  readonly subscriptions?: readonly Event[];
  /** Events that every running instance wants to know at once; they may be lost, so they are only hints. */
  readonly broadcasts?: readonly Event[];
  /** Projections of others that it reads. */
  readonly reads?: readonly Projection[];
  /** Objects of others that it reads. */
  readonly readsObjects?: readonly ObjectKind[];
  /** Commands of Redis that its own scripts and `kit.redis` use, on keys that begin with its name, where nothing is dropped. */
  readonly redis?: readonly string[];
  readonly schedules?: Readonly<Record<string, ScheduleShape>>;
};

/** A service's public face: its contract is what it gives, the rest what it takes. Nothing else crosses its border. */
export type Surface = { readonly name: ServiceName; readonly contract: Contract } & Required<Taken>;

type Nothing = {
  calls: [];
  subscriptions: [];
  broadcasts: [];
  reads: [];
  readsObjects: [];
  redis: [];
  // biome-ignore lint/complexity/noBannedTypes: an empty record is what a surface without schedules has
  schedules: {};
};

type Defined<C extends Contract, T extends Taken> = Omit<Nothing, keyof T> &
  T & { readonly name: ServiceName; readonly contract: C };

const nothing: Nothing = {
  calls: [],
  subscriptions: [],
  broadcasts: [],
  reads: [],
  readsObjects: [],
  redis: [],
  schedules: {},
};

/** What is left out is not taken. */
// biome-ignore lint/complexity/noBannedTypes: what takes nothing
export function defineSurface<C extends Contract, const T extends Taken = {}>(
  contract: C,
  taken?: T,
): Defined<C, T> {
  return { ...nothing, ...(taken as T), name: contract.service, contract };
}

/** For a tool beside the running service, such as an operator's command: it emits the service's events, and takes no work. */
export const toolSurface = <C extends Contract>(contract: C) =>
  defineSurface({
    service: contract.service,
    commands: {},
    tasks: {},
    events: contract.events as C['events'],
    projections: {},
    objects: {},
  });

type Values<Record> = Record[keyof Record];
export type CommandOf<S extends Surface> = Values<S['contract']['commands']>;
export type TaskOf<S extends Surface> = Values<S['contract']['tasks']>;
export type EventOf<S extends Surface> = Values<S['contract']['events']>;

const shown = (message: { owner: string; name: string }): string => `${message.owner}.${message.name}`;

/** What a surface takes, by the word for it, and the messages that some contract has to give. */
const takenBy = (surface: Surface) =>
  [
    ...surface.calls.map((message) => ({ message, taken: 'called', given: 'commands' }) as const),
    ...surface.subscriptions.map(
      (message) => ({ message, taken: 'subscribed to', given: 'events' }) as const,
    ),
    ...surface.broadcasts.map((message) => ({ message, taken: 'received', given: 'events' }) as const),
    ...surface.reads.map((message) => ({ message, taken: 'read', given: 'projections' }) as const),
    ...surface.readsObjects.map((message) => ({ message, taken: 'read', given: 'objects' }) as const),
  ] satisfies readonly object[];

/** A service that writes keys of a kind may also delete them, so only one may write them. */
function sharedPrefixes(surfaces: readonly Surface[]): string[] {
  const kinds = surfaces.flatMap(({ contract }) => Object.values(contract.objects));
  const ownersOf = (prefix: string) =>
    kinds.filter((kind) => kind.prefix === prefix).map(({ owner }) => owner);
  return [...new Set(kinds.map(({ prefix }) => prefix))]
    .filter((prefix) => ownersOf(prefix).length > 1)
    .map((prefix) => `objects ${prefix} are kept by ${ownersOf(prefix).join(' and ')}`);
}

/** Lists faults between surfaces: messages without a source, objects of two owners, and commands that call in a circle. */
export function checkSurfaces(surfaces: readonly Surface[]): string[] {
  const isGiven = (kind: 'commands' | 'events' | 'projections' | 'objects', message: object): boolean =>
    surfaces.some(({ contract }) => (Object.values(contract[kind]) as object[]).includes(message));
  const problems = surfaces.flatMap((surface) =>
    takenBy(surface)
      .filter(({ given, message }) => !isGiven(given, message))
      .map(({ message, taken }) => `${surface.name}: ${shown(message)} is ${taken} but no service gives it`),
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
