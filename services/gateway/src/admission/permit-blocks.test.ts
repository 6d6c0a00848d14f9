import { describe, expect, it } from '@jest/globals';
import { BLOCK_LIFE_MS, createPermitBlocks, NO_PERMITS } from './permit-blocks.ts';

const PAID = 300;

const newBlocks = () => {
  const state = { clock: 0, now: new Date('2026-11-20T12:00:00Z') };
  const blocks = createPermitBlocks(
    () => state.clock,
    () => state.now,
  );
  return { blocks, state };
};

describe('permits taken ahead', () => {
  it('are none for a key that asks for the first time', () => {
    const { blocks } = newBlocks();
    expect(blocks.use('key')).toBe('none');
    expect(blocks.next('key', PAID)).toEqual(NO_PERMITS);
  });

  it('are used as often as they were granted, and no oftener', () => {
    const { blocks } = newBlocks();
    blocks.keep('key', { ahead: 2, back: '0' }, '2:77');
    expect([blocks.use('key'), blocks.use('key'), blocks.use('key')]).toEqual([
      'one',
      'one-of-the-last',
      'none',
    ]);
  });

  it('grow while they are used, up to two seconds of the limit', () => {
    const { blocks } = newBlocks();
    blocks.keep('key', NO_PERMITS, '0');
    const wanted: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const ask = blocks.next('key', PAID);
      wanted.push(ask.ahead);
      blocks.keep('key', ask, '0');
    }
    expect(wanted).toEqual([1, 2, 4, 8, 10, 10]);
  });

  it('are low when a quarter is left, or half a second', () => {
    const { blocks, state } = newBlocks();
    blocks.keep('key', { ahead: 8, back: '0' }, '8:77');
    const uses = Array.from({ length: 6 }, () => blocks.use('key'));
    expect(uses).toEqual(['one', 'one', 'one', 'one', 'one', 'one-of-the-last']);
    blocks.keep('key', { ahead: 8, back: '0' }, '8:77');
    state.clock = BLOCK_LIFE_MS - 500;
    expect(blocks.use('key')).toBe('one-of-the-last');
  });

  it('can be used no more once they are being given back for new ones', () => {
    const { blocks } = newBlocks();
    blocks.keep('key', { ahead: 4, back: '0' }, '4:77');
    blocks.use('key');
    expect(blocks.next('key', PAID).back).toBe('3:77');
    expect(blocks.use('key')).toBe('none');
  });

  it('shrink to what was used, and what was not is given back with its moment', () => {
    const { blocks, state } = newBlocks();
    blocks.keep('key', { ahead: 4, back: '0' }, '4:77');
    blocks.use('key');
    state.clock = BLOCK_LIFE_MS;
    expect(blocks.use('key')).toBe('none');
    expect(blocks.next('key', PAID)).toEqual({ ahead: 1, back: '3:77' });
  });

  it('are asked for by one request of a key at a time, so none is overwritten', () => {
    const { blocks } = newBlocks();
    blocks.keep('key', NO_PERMITS, '0');
    const [first, second] = [blocks.next('key', PAID), blocks.next('key', PAID)];
    expect([first.ahead, second.ahead]).toEqual([1, 0]);
    blocks.keep('key', first, '1:77');
    blocks.keep('key', second, '0');
    expect(blocks.use('key')).toBe('one-of-the-last');
  });

  it('end with their UTC day, whose reads they were counted as', () => {
    const { blocks, state } = newBlocks();
    blocks.keep('key', { ahead: 4, back: '0' }, '4:77');
    state.now = new Date('2026-11-21T00:00:00Z');
    expect(blocks.use('key')).toBe('none');
    expect(blocks.next('key', PAID).back).toBe('0');
  });
});
