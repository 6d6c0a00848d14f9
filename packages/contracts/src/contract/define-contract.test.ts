import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { COMMAND_MS } from '../deadlines.ts';
import { defineContract, hashTag } from './define-contract.ts';

const payload = z.object({ id: z.string() });
const task = { payload, leaseMs: 1_000, backoffMs: [], concurrency: 1, timeLimitMs: null };

describe('a contract', () => {
  it('names each message once: the property; what the wire shows is derived from it', () => {
    const search = defineContract('search', {
      commands: { findVideos: { request: payload, reply: payload } },
      tasks: { walkSource: task },
      events: { sourceWalked: { payload } },
      projections: { snapshotPage: { keyParts: ['source', 'page'], value: payload, ttlSeconds: 60 } },
    });
    expect(search.findVideos).toMatchObject({
      ...{ kind: 'command', owner: 'search', name: 'findVideos', wireName: 'find-videos' },
      ...{ subject: 'cmd.search.find-videos.v1', errors: [], timeoutMs: COMMAND_MS },
    });
    expect(search.walkSource.wireName).toBe('walk-source');
    expect(search.sourceWalked.subject).toBe('evt.search.source-walked.v1');
    expect(search.snapshotPage.key('abc', '2')).toBe(`search:snapshot-page:${hashTag('abc')}:abc:2`);
    expect(search.commands.findVideos).toBe(search.findVideos);
  });

  it('lets callers repeat a command that reads, or that says so itself', () => {
    const shape = { request: payload, reply: payload };
    const { commands } = defineContract('search', {
      commands: {
        ...{ findVideos: shape, getterOf: shape, createVideo: shape },
        ...{ getVideo: { ...shape, isIdempotent: false }, holdVideo: { ...shape, isIdempotent: true } },
      },
    });
    const repeatable = Object.values(commands).filter(({ isIdempotent }) => isIdempotent);
    expect(repeatable.map(({ name }) => name)).toEqual(['findVideos', 'holdVideo']);
  });

  it('refuses one name for two messages, of whatever kind', () => {
    const twice = () =>
      defineContract('search', { tasks: { walkSource: task }, events: { walkSource: { payload } } });
    expect(twice).toThrow('two messages named walkSource');
  });

  it('refuses an aggregate that is not in the payload', () => {
    const changed = (version: string) => ({
      payload: z.object({ id: z.string(), number: z.number() }),
      aggregate: { key: 'id', version },
    });
    const walked = defineContract('search', { events: { sourceWalked: changed('number') } });
    expect(walked.sourceWalked.aggregate).toEqual({ key: 'id', version: 'number' });
    const wrong = () => defineContract('search', { events: { sourceWalked: changed('version') } });
    expect(wrong).toThrow('search.sourceWalked has no field version for its aggregate');
  });
});
