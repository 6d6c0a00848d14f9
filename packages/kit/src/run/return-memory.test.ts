import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { returnMemory } from './return-memory.ts';

const MIB = 1_024 ** 2;

describe('returnMemory', () => {
  it('gives unused memory back to the system', () => {
    let texts: string[][] | null = Array.from({ length: 256 }, () =>
      Array.from({ length: 10_000 }, (_, index) => `text ${index}`),
    );
    const before = getHeapStatistics().total_physical_size;
    expect(texts).toHaveLength(256);
    texts = null;
    returnMemory();
    expect(before - getHeapStatistics().total_physical_size).toBeGreaterThan(16 * MIB);
  });
});
