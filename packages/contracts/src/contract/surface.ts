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

/** For a tool beside the running service, such as an operator's command: it tells the service's events, and takes no work. */
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
