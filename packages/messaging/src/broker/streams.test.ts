import { describe, expect, it } from '@jest/globals';
import { DiscardPolicy, JetStreamApiError, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { defineContract, defineSurface, type Surface } from '@tds/contracts';
import { z } from 'zod';
import { defaultStreamLimits } from './stream-limits.ts';
import {
  consumerNameOf,
  emittedReader,
  eventStream,
  failedWith,
  isStored,
  listStreams,
  lostEventsReader,
} from './streams.ts';
import { inboxOf } from './users.ts';

const payload = z.object({});
const work = { payload, leaseMs: 1_000, backoffMs: [1_000], concurrency: 1, timeLimitMs: null };
const empty = defineContract('status', {});
const emitting = defineContract('status', { events: { thingHappened: { payload } } });
const working = defineContract('status', { tasks: { doWork: work } });
const { thingHappened } = emitting;
const namesOf = (surface: Parameters<typeof listStreams>[0]) =>
  listStreams(surface, defaultStreamLimits).map(({ name }) => name);

describe('the streams of a service', () => {
  it('are none, nor are tables of the kit, if it has no events, subscriptions, tasks or schedules', () => {
    expect([namesOf(defineSurface(empty)), isStored(defineSurface(empty))]).toEqual([[], false]);
  });

  it.each<[what: string, surface: Surface]>([
    ['works', defineSurface(working) as Surface],
    ['hears', defineSurface(defineContract('archiver', {}), { subscriptions: [thingHappened] })],
    ['keeps time', defineSurface(empty, { schedules: { tick: { everySeconds: 1 } } })],
  ])('are none, beside tables of the kit, if it only %s', (_what, surface) => {
    expect([namesOf(surface), isStored(surface)]).toEqual([[], true]);
  });

  it('are that of its events if it has some', () => {
    expect(namesOf(defineSurface(emitting))).toEqual(['EVT_status']);
  });

  it('hold nothing of another service, so that rights can be given by stream', () => {
    const [own, other] = ['status', 'archiver'].map((name) => eventStream(name, defaultStreamLimits).subjects);
    expect(own).toEqual(['evt.status.>']);
    expect(other).toEqual(['evt.archiver.>']);
  });

  it('keep events on disk until they are too old', () => {
    expect(eventStream('status', defaultStreamLimits)).toMatchObject({
      ...{ storage: StorageType.File, retention: RetentionPolicy.Limits, discard: DiscardPolicy.New },
    });
  });
});

describe('the consumers of a service', () => {
  it('and those that only look for it all have names of their own, by service and event', () => {
    const consumer = consumerNameOf('archiver', thingHappened);
    const names = [
      consumer,
      lostEventsReader(consumer),
      emittedReader('archiver'),
      consumerNameOf('search', thingHappened),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(consumer).toBe('archiver__thing-happened');
    // Dots and wildcards would mean something to the broker.
    for (const name of names) expect(name).toMatch(/^[a-z-]+(__[a-z-]+)+$/);
  });
});

describe('an error of the broker', () => {
  const error = new JetStreamApiError({ code: 404, err_code: 10_014, description: 'consumer not found' });

  it('is known by its code, not by its words, and nothing else is taken for one', () => {
    expect(failedWith(error, new Set([10_014]))).toBe(true);
    expect(failedWith(error, new Set([404, 10_059]))).toBe(false);
    expect(failedWith(Object.assign(new Error('no'), { code: 10_014 }), new Set([10_014]))).toBe(false);
  });
});

describe('the inbox of a user', () => {
  it('is below its own name, and for each callee another one', () => {
    expect(inboxOf('gateway')).toBe('_INBOX_gateway');
    expect(inboxOf('gateway', 'search')).toBe('_INBOX_gateway.search');
    expect(inboxOf('gateway', 'search').startsWith(`${inboxOf('gateway')}.`)).toBe(true);
  });
});
