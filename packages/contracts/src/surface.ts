import type { z } from 'zod';
import type { Command, Event, Task } from './messages/define-messages.ts';
import type { Projection } from './projections/define-projection.ts';
import type { ServiceName } from './service-names.ts';

/** A service's public face: nothing crosses its border that is not listed here. */
export type Surface = {
  readonly name: ServiceName;
  /** Commands it answers. */
  readonly answers: readonly Command[];
  /** Its own durable work. */
  readonly does: readonly Task[];
  /** Facts it tells. */
  readonly emits: readonly Event[];
  /** Facts it acts upon, each exactly once per service. */
  readonly hears: readonly Event[];
  /** Facts that every running instance wants to know at once; may be lost, so only for hints. */
  readonly watches: readonly Event[];
  /** Commands of others that it calls. */
  readonly calls: readonly Command[];
  /** Read models that it keeps for others in Redis. */
  readonly projects: readonly Projection[];
  /** What it does by the clock, with the period in seconds; one instance at a time. */
  readonly wakes: Readonly<Record<string, { readonly everySeconds: number }>>;
};

// biome-ignore lint/complexity/noBannedTypes: an empty record is what a surface without schedules has
type Empty = { answers: []; does: []; emits: []; hears: []; watches: []; calls: []; projects: []; wakes: {} };

/** Declares a surface; what is left out is empty. Owners are checked, so nobody answers for another service. */
export function defineSurface<const Given extends Partial<Surface> & Pick<Surface, 'name'>>(
  given: Given,
): Omit<Empty, keyof Given> & Given {
  const own = [
    ...(given.answers ?? []),
    ...(given.does ?? []),
    ...(given.emits ?? []),
    ...(given.projects ?? []),
  ];
  const foreign = own.find((message) => message.owner !== given.name);
  if (foreign) throw new Error(`${given.name} declares ${foreign.name}, which belongs to ${foreign.owner}`);
  const none = {
    answers: [],
    does: [],
    emits: [],
    hears: [],
    watches: [],
    calls: [],
    projects: [],
    wakes: {},
  };
  return { ...(none as Empty), ...given };
}

export type RequestOf<C extends Command> = z.output<C['request']>;
export type ReplyOf<C extends Command> = z.input<C['reply']>;
export type PayloadOf<M extends Task | Event> = z.output<M['payload']>;
