import { describe, expect, it } from '@jest/globals';
import { createListingMemory } from './listing-memory.ts';

const channel = 'UCabcdefghijklmnopqrstuv';
const pageRequest = { keyId: 'one', input: channel, contents: 'all' as const, offset: 0 };
const listed = {
  source: { kind: 'channel', id: channel },
  listed_at: '2026-11-20T12:00:00.000Z',
  freshForMs: 60_000,
};
const answer = { body: Buffer.from('rows') };

const newMemory = () => {
  let nowMs = 0;
  const memory = createListingMemory<{ body: Buffer }>(() => nowMs);
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { memory, advance };
};

describe('listing memory', () => {
  it('repeats an answer of the service to the same key for five seconds', () => {
    const { memory, advance } = newMemory();
    memory.keep(pageRequest, listed, answer);
    expect(memory.get(pageRequest)).toBe(answer);
    advance(4_999);
    expect(memory.get(pageRequest)).toBe(answer);
    advance(1);
    expect(memory.get(pageRequest)).toBeUndefined();
  });

  it.each([
    ['another key, whose walk has not begun', { keyId: 'other' }],
    ['another page', { offset: 500 }],
    ['other contents', { contents: 'shorts' as const }],
    ['another name of the same', { input: `https://www.youtube.com/channel/${channel}` }],
  ])('does not contain %s', (_, changed) => {
    const { memory } = newMemory();
    memory.keep(pageRequest, listed, answer);
    expect(memory.get({ ...pageRequest, ...changed })).toBeUndefined();
  });

  it('lets one caller fetch newer hints; the others get the present ones', () => {
    const { memory, advance } = newMemory();
    memory.keep(pageRequest, listed, answer);
    memory.keep({ ...pageRequest, keyId: 'other' }, listed, answer);
    advance(5_000);
    expect(memory.get(pageRequest)).toBeUndefined();
    expect(memory.get({ ...pageRequest, keyId: 'other' })).toBe(answer);
    advance(1_000);
    expect(memory.get({ ...pageRequest, keyId: 'other' })).toBeUndefined();
  });

  it('deletes a first page when the next walk needs a new listing', () => {
    const { memory, advance } = newMemory();
    memory.keep(pageRequest, { ...listed, freshForMs: 3_000 }, answer);
    advance(3_000);
    expect(memory.get(pageRequest)).toBeUndefined();
  });

  it('does not keep pages of names, which count each time, or of unfinished listings', () => {
    const { memory } = newMemory();
    for (const input of ['@handle', 'https://www.youtube.com/c/Name']) {
      memory.keep({ ...pageRequest, input }, listed, answer);
      expect(memory.get({ ...pageRequest, input })).toBeUndefined();
    }
    memory.keep(pageRequest, { ...listed, freshForMs: 0 }, answer);
    expect(memory.get(pageRequest)).toBeUndefined();
  });
});
