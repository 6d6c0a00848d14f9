import { describe, expect, it } from '@jest/globals';
import { createPermitBlocks, NO_ORDER, NO_PERMITS, PERMIT_LIFE_MS } from './permits.ts';

const PAID = 300;
const permits = (count: number) => ({ count, moment: '77' });
const orderOf = (ahead: number) => ({ ahead, unused: NO_PERMITS });

const newBlocks = () => {
  const state = { clock: 0, now: new Date('2026-11-20T12:00:00Z') };
  const blocks = createPermitBlocks(
    () => state.clock,
    () => state.now,
  );
  return { blocks, state };
};

describe('permits taken ahead', () => {
  it('are none for the first request of a key', () => {
    const { blocks } = newBlocks();
    expect(blocks.use('key')).toBe('none');
    expect(blocks.order('key', PAID)).toEqual(NO_ORDER);
  });

  it('are used as often as they were granted', () => {
    const { blocks } = newBlocks();
    blocks.keep('key', orderOf(2), permits(2));
    expect([blocks.use('key'), blocks.use('key'), blocks.use('key')]).toEqual(['used', 'low', 'none']);
  });

  it('grow while they are used, up to two seconds of the limit', () => {
    const { blocks } = newBlocks();
    blocks.keep('key', NO_ORDER, NO_PERMITS);
    const wanted: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const ask = blocks.order('key', PAID);
      wanted.push(ask.ahead);
      blocks.keep('key', ask, NO_PERMITS);
    }
    expect(wanted).toEqual([1, 2, 4, 8, 10, 10]);
  });

  it('are low when a quarter is left, or half a second', () => {
    const { blocks, state } = newBlocks();
    blocks.keep('key', orderOf(8), permits(8));
    const uses = Array.from({ length: 6 }, () => blocks.use('key'));
    expect(uses).toEqual(['used', 'used', 'used', 'used', 'used', 'low']);
    blocks.keep('key', orderOf(8), permits(8));
    state.clock = PERMIT_LIFE_MS - 500;
    expect(blocks.use('key')).toBe('low');
  });

  it('cannot be used while they are being exchanged', () => {
    const { blocks } = newBlocks();
    blocks.keep('key', orderOf(4), permits(4));
    blocks.use('key');
    expect(blocks.order('key', PAID).unused).toEqual(permits(3));
    expect(blocks.use('key')).toBe('none');
  });

  it('shrink to their use; unused ones are returned with their time', () => {
    const { blocks, state } = newBlocks();
    blocks.keep('key', orderOf(4), permits(4));
    blocks.use('key');
    state.clock = PERMIT_LIFE_MS;
    expect(blocks.use('key')).toBe('none');
    expect(blocks.order('key', PAID)).toEqual({ ahead: 1, unused: permits(3) });
  });

  it('are requested by one request of a key at a time', () => {
    const { blocks } = newBlocks();
    blocks.keep('key', NO_ORDER, NO_PERMITS);
    const [first, second] = [blocks.order('key', PAID), blocks.order('key', PAID)];
    expect([first.ahead, second.ahead]).toEqual([1, 0]);
    blocks.keep('key', first, permits(1));
    blocks.keep('key', second, NO_PERMITS);
    expect(blocks.use('key')).toBe('low');
  });

  it('end with the UTC day whose reads they count as', () => {
    const { blocks, state } = newBlocks();
    blocks.keep('key', orderOf(4), permits(4));
    state.now = new Date('2026-11-21T00:00:00Z');
    expect(blocks.use('key')).toBe('none');
    expect(blocks.order('key', PAID).unused).toEqual(NO_PERMITS);
  });
});
