import { z } from 'zod';
import { COMMAND_MS } from '../deadlines.ts';
import type { ServiceName } from '../service-names.ts';
import type {
  Command,
  CommandShape,
  Event,
  EventShape,
  ObjectKind,
  ObjectsShape,
  Projection,
  ProjectionShape,
  Task,
  TaskShape,
} from './messages.ts';

/** Few enough to batch requests per tag, and more than a cluster has servers. */
const TAGS = 8;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The hash tag of a name, such as an account's id. Keys with the same tag lie on one server of a Redis cluster, so
 * one script may use them together. Many names share a tag.
 */
export const hashTag = (name: string): string => {
  let hash = FNV_OFFSET;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), FNV_PRIME);
  return `{${(hash ^ (hash >>> 15)) & (TAGS - 1)}}`;
};

const tagIn = /\{[^{}]+\}/;

/** Groups keys by hash tag; one script may use a group. */
export const byHashTag = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => [
  ...Map.groupBy(items, (item) => {
    const key = keyOf(item);
    return tagIn.exec(key)?.[0] ?? key;
  }).values(),
];

const READING = /^(authenticate|find|get|list|lookUp|poll|read|resolve)[A-Z]/;

/** `rotateKey` is `rotate-key` on the wire. */
export const wireNameOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Commands of a contract that stand in a file of their own. */
export const commands = <const Declared extends Readonly<Record<string, CommandShape>>>(
  declared: Declared,
): Declared => declared;

type Shapes = {
  readonly commands?: Readonly<Record<string, CommandShape>>;
  readonly tasks?: Readonly<Record<string, TaskShape>>;
  readonly events?: Readonly<Record<string, EventShape>>;
  readonly projections?: Readonly<Record<string, ProjectionShape>>;
  /** Its kinds of files in the object store. */
  readonly objects?: Readonly<Record<string, ObjectsShape>>;
};

// biome-ignore lint/complexity/noBannedTypes: a kind that is not given has no messages
type ShapesOf<S extends Shapes, Kind extends keyof Shapes> = S[Kind] extends object ? S[Kind] : {};
type Text<Name> = Name & string;

// Mapped over the given properties, so that an editor leads from each use to the declaration.
type Commands<G> = {
  readonly [Name in keyof G]: G[Name] extends CommandShape
    ? Command<Text<Name>, G[Name]['request'], G[Name]['reply']>
    : never;
};
type Tasks<G> = {
  readonly [Name in keyof G]: G[Name] extends TaskShape ? Task<Text<Name>, G[Name]['payload']> : never;
};
type Events<G> = {
  readonly [Name in keyof G]: G[Name] extends EventShape ? Event<Text<Name>, G[Name]['payload']> : never;
};
type Projections<G> = {
  readonly [Name in keyof G]: G[Name] extends ProjectionShape
    ? Projection<Text<Name>, G[Name]['keyParts'], G[Name]['value']>
    : never;
};

type Objects<G> = { readonly [Name in keyof G]: ObjectKind<Text<Name>> };

type Kinds<S extends Shapes> = {
  readonly commands: Commands<ShapesOf<S, 'commands'>>;
  readonly tasks: Tasks<ShapesOf<S, 'tasks'>>;
  readonly events: Events<ShapesOf<S, 'events'>>;
  readonly projections: Projections<ShapesOf<S, 'projections'>>;
  readonly objects: Objects<ShapesOf<S, 'objects'>>;
};

/** Any contract, as the kit reads it. */
export type Contract = {
  readonly service: ServiceName;
  readonly commands: Readonly<Record<string, Command>>;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly events: Readonly<Record<string, Event>>;
  readonly projections: Readonly<Record<string, Projection>>;
  readonly objects: Readonly<Record<string, ObjectKind>>;
};

type Defined<S extends Shapes> = { readonly service: ServiceName } & Kinds<S> &
  Kinds<S>['commands'] &
  Kinds<S>['tasks'] &
  Kinds<S>['events'] &
  Kinds<S>['projections'];

const mapShapes = <Shape, Message>(
  shapes: Readonly<Record<string, Shape>> = {},
  define: (name: string, shape: Shape) => Message,
): Record<string, Message> =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, define(name, shape)]));

const assertUniqueNames = (service: string, names: readonly string[]): void => {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate) throw new Error(`the contract of ${service} has two messages named ${duplicate}`);
};

const assertAggregateFields = (service: string, events: Shapes['events'] = {}): void => {
  for (const [name, { payload, aggregate }] of Object.entries(events)) {
    const fields = payload instanceof z.ZodObject ? Object.keys(payload.shape) : [];
    const missing = Object.values(aggregate ?? {}).find((field) => !fields.includes(field));
    if (missing) throw new Error(`${service}.${name} has no field ${missing} for its aggregate`);
  }
};

/** The first part gives the key's hash tag. */
const createKey =
  (prefix: string) =>
  (...parts: readonly string[]): string =>
    [prefix, ...parts.slice(0, 1).map(hashTag), parts.join(':')].join(':');

/**
 * Declares the commands, events, tasks, projections and objects of a service. The property is the message's name in all code,
 * and the name on the wire derives from it. Messages stand under their kind and on the contract itself: `identity.rotateKey`.
 * Objects are no messages and stand under their kind alone.
 */
export function defineContract<const S extends Shapes>(service: ServiceName, shapes: S): Defined<S> {
  const header = <Kind extends string>(kind: Kind, name: string) => ({
    ...{ kind, owner: service, name },
    wireName: wireNameOf(name),
  });
  const subject = (kind: string, name: string) => `${kind}.${service}.${wireNameOf(name)}.v1`;
  const kinds: Omit<Contract, 'service'> = {
    commands: mapShapes(shapes.commands, (name, shape) => ({
      ...header('command', name),
      ...{ subject: subject('cmd', name), errors: [], timeoutMs: COMMAND_MS },
      isIdempotent: READING.test(name),
      ...shape,
    })),
    tasks: mapShapes(shapes.tasks, (name, shape) => ({
      ...header('task', name),
      ...shape,
    })),
    events: mapShapes(shapes.events, (name, shape) => ({
      ...header('event', name),
      ...{ subject: subject('evt', name), ...shape },
    })),
    projections: mapShapes(shapes.projections, (name, { value, ttlSeconds, keptIn = 'records' }) => ({
      ...header('projection', name),
      ...{ value, ttlSeconds, keptIn },
      key: createKey(`${service}:${wireNameOf(name)}`),
    })),
    objects: mapShapes(shapes.objects, (name, what) => ({
      ...header('objects', name),
      ...{ what, prefix: `${wireNameOf(name)}/` },
    })),
  };
  assertAggregateFields(service, shapes.events);
  const { objects: _, ...messages } = kinds;
  assertUniqueNames(service, Object.values(messages).flatMap(Object.keys));
  const flat = { ...kinds.commands, ...kinds.tasks, ...kinds.events, ...kinds.projections };
  return { service, ...kinds, ...flat } as unknown as Defined<S>;
}
