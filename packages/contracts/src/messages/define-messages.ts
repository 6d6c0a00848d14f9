import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { ServiceName } from '../service-names.ts';

/** "Do this and answer me": NATS request/reply, any instance of the owner answers. */
export type Command<
  Name extends string = string,
  Request extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = {
  readonly kind: 'command';
  readonly owner: ServiceName;
  readonly name: Name;
  readonly subject: string;
  readonly request: Request;
  readonly reply: Reply;
  /** Codes that a caller has to expect besides `unexpected_error` and `service_unavailable`. */
  readonly errors: readonly ErrorCode[];
  /** How long a caller waits unless it brings a nearer deadline of its own. */
  readonly timeoutMs: number;
};

/** The owner's own durable work: a work queue with lease, backoff and dead letters. */
export type Task<Name extends string = string, Payload extends z.ZodType = z.ZodType> = {
  readonly kind: 'task';
  readonly owner: ServiceName;
  readonly name: Name;
  readonly subject: string;
  readonly payload: Payload;
  /** One worker has this long before the task is given to another; handlers that need longer keep it alive. */
  readonly leaseMs: number;
  /** Waits before the 2nd, 3rd ... attempt; after the last one the task is a dead letter. */
  readonly backoffMs: readonly number[];
  /** How many run at once in one process. */
  readonly concurrency: number;
};

/** A fact, in primitives, told to whoever listens. */
export type Event<Name extends string = string, Payload extends z.ZodType = z.ZodType> = {
  readonly kind: 'event';
  readonly owner: ServiceName;
  readonly name: Name;
  readonly subject: string;
  readonly payload: Payload;
};

const DEFAULT_COMMAND_TIMEOUT_MS = 5_000;

export function command<
  const Name extends string,
  Request extends z.ZodType,
  Reply extends z.ZodType,
>(definition: {
  owner: ServiceName;
  name: Name;
  request: Request;
  reply: Reply;
  errors?: readonly ErrorCode[];
  timeoutMs?: number;
}): Command<Name, Request, Reply> {
  return {
    kind: 'command',
    errors: [],
    timeoutMs: DEFAULT_COMMAND_TIMEOUT_MS,
    ...definition,
    subject: `cmd.${definition.owner}.${definition.name}.v1`,
  };
}

export function task<const Name extends string, Payload extends z.ZodType>(
  definition: Omit<Task<Name, Payload>, 'kind' | 'subject'>,
): Task<Name, Payload> {
  return { kind: 'task', ...definition, subject: `task.${definition.owner}.${definition.name}.v1` };
}

export function event<const Name extends string, Payload extends z.ZodType>(definition: {
  owner: ServiceName;
  name: Name;
  payload: Payload;
}): Event<Name, Payload> {
  return { kind: 'event', ...definition, subject: `evt.${definition.owner}.${definition.name}.v1` };
}
