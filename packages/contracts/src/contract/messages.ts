import type { ErrorCode } from '@tds/errors';
import type { z } from 'zod';
import type { ServiceName } from '../service-names.ts';

/** A command as a contract declares it. */
export type CommandShape = {
  readonly request: z.ZodType;
  readonly reply: z.ZodType;
  /** Error codes besides `unexpected_error` and `service_unavailable`. */
  readonly errors?: readonly ErrorCode[];
  /** How long a caller waits, unless its own deadline is nearer. */
  readonly timeoutMs?: number;
  /** A repeat costs nothing, though a daily limit may count it, and is answered as well. Default: if the name begins with a verb of reading. */
  readonly isIdempotent?: boolean;
};

export type TaskShape = {
  readonly payload: z.ZodType;
  /** After this time another worker may take the task; longer handlers renew the lease. */
  readonly leaseMs: number;
  /** Waits before the 2nd, 3rd ... attempt; after the last attempt the task is a dead letter. */
  readonly backoffMs: readonly number[];
  /** Concurrent tasks in one process. */
  readonly concurrency: number;
  /**
   * The time limit of one attempt: its signal fires, and soon after another attempt may begin. Null if the handler has its own
   * bound, or none; the declaration says why.
   */
  readonly timeLimitMs: number | null;
};

/** Names the payload fields that hold the aggregate's key and version. */
type Aggregate = {
  /** A string. */
  readonly key: string;
  /** A whole number that grows with each change of the aggregate. */
  readonly version: string;
};

export type EventShape = {
  readonly payload: z.ZodType;
  /** Lets listeners ignore events older than the newest handled one (`onceIfNewest`). */
  readonly aggregate?: Aggregate;
};

/** The Redis that drops nothing, or the one that may drop anything. */
export type RedisServer = 'records' | 'cache';

export type ProjectionShape = {
  /** The names of a key's parts, in order. */
  readonly keyParts: readonly string[];
  readonly value: z.ZodType;
  readonly ttlSeconds: number;
  /** Default: `records`. */
  readonly keptIn?: RedisServer;
};

/** Describes the kind in a few words. */
export type ObjectsShape = string;

type NamedMessage<Kind extends string, Name extends string> = {
  readonly kind: Kind;
  readonly owner: ServiceName;
  /** The property in the contract. */
  readonly name: Name;
  /** The name in kebab-case, for broker, databases, logs and metrics. */
  readonly wireName: string;
};

/** NATS request/reply; any instance of the owner answers. */
export type Command<
  Name extends string = string,
  Request extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = NamedMessage<'command', Name> &
  Required<Pick<CommandShape, 'errors' | 'timeoutMs'>> & {
    readonly subject: string;
    readonly isIdempotent: boolean;
    readonly request: Request;
    readonly reply: Reply;
  };

/** The owner's own durable work: a work queue with lease, backoff and dead letters. */
export type Task<Name extends string = string, Payload extends z.ZodType = z.ZodType> = NamedMessage<
  'task',
  Name
> &
  Omit<TaskShape, 'payload'> & { readonly payload: Payload };

/** A fact, in primitives, emitted to all subscribers. */
export type Event<Name extends string = string, Payload extends z.ZodType = z.ZodType> = NamedMessage<
  'event',
  Name
> & { readonly subject: string; readonly payload: Payload; readonly aggregate?: Aggregate };

/** A read model that its owner keeps in Redis. If an entry is missing, ask by command: Redis may lose any at any time. */
export type Projection<
  Name extends string = string,
  KeyParts extends readonly string[] = readonly string[],
  Value extends z.ZodType = z.ZodType,
> = NamedMessage<'projection', Name> & {
  readonly value: Value;
  readonly ttlSeconds: number;
  readonly keptIn: RedisServer;
  /** The Redis key for these parts. */
  readonly key: (...parts: { readonly [Part in keyof KeyParts]: string }) => string;
};

/** Objects that their owner alone writes and deletes, in the store that all share. */
export type ObjectKind<Name extends string = string> = NamedMessage<'objects', Name> & {
  readonly what: string;
  /** Every key begins with it. */
  readonly prefix: string;
};

export type RequestOf<C extends Command> = z.output<C['request']>;
export type ReplyOf<C extends Command> = z.input<C['reply']>;
export type PayloadOf<M extends Task | Event> = z.output<M['payload']>;
