import { describe, expect, it } from '@jest/globals';
import { createFloors, type Floors, type Look } from './floors.ts';

const name = 'do-work';
const MARGIN_MS = 1_000;

describe('the floor of claims', () => {
  /** No transaction is under way. */
  const quiet = (atMs: number): Look => ({ atMs, xmin: 10, xmax: 10 });
  const floorsAfter = (looks: readonly (readonly [Look, number | null])[]): Floors => {
    const floors = createFloors();
    for (const [look, freeFromMs] of looks) floors.saw(look, name, freeFromMs);
    return floors;
  };

  it('is below everything until a claim has looked, and again when the database was away', () => {
    const floors = createFloors();
    expect(floors.of(name)).toBe(Number.NEGATIVE_INFINITY);
    floors.saw(quiet(50_000), name, null);
    floors.forget();
    expect(floors.of(name)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('follows the clock while nothing is to be done, with a margin', () => {
    const floors = floorsAfter([[quiet(50_000), null]]);
    expect(floors.of(name)).toBe(50_000 - MARGIN_MS);
  });

  it('stays below the first task that is to be done, for its own name only', () => {
    const floors = floorsAfter([[quiet(50_000), 20_000]]);
    floors.saw(quiet(50_000), 'follow-up', null);
    expect(floors.of(name)).toBeLessThan(20_000);
    expect(floors.of(name)).toBeGreaterThan(19_000);
    expect(floors.of('follow-up')).toBe(50_000 - MARGIN_MS);
  });

  it('does not rise above what a transaction may have saved that has not ended yet', () => {
    const floors = floorsAfter([
      [quiet(10_000), null],
      [{ atMs: 20_000, xmin: 15, xmax: 17 }, null],
      [{ atMs: 21_000, xmin: 16, xmax: 18 }, null],
    ]);
    expect(floors.of(name)).toBe(10_000 - MARGIN_MS);
    floors.saw({ atMs: 22_000, xmin: 17, xmax: 19 }, name, null);
    expect(floors.of(name)).toBe(20_000 - MARGIN_MS);
  });

  it('waits for no transaction longer than any of the kit can take', () => {
    const floors = floorsAfter([
      [{ atMs: 20_000, xmin: 15, xmax: 17 }, null],
      [{ atMs: 50_001, xmin: 15, xmax: 40 }, null],
    ]);
    expect(floors.of(name)).toBe(20_000 - MARGIN_MS);
  });

  it('is forgotten when the clock of the database was set back', () => {
    const floors = floorsAfter([
      [quiet(50_000), null],
      [{ atMs: 40_000, xmin: 12, xmax: 13 }, null],
    ]);
    expect(floors.of(name)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('comes down to what was found below it, and for nothing else', () => {
    const floors = floorsAfter([[quiet(50_000), null]]);
    expect(floors.lower(name, 49_500)).toBe(false);
    expect(floors.lower(name, 30_000)).toBe(true);
    expect(floors.of(name)).toBeLessThan(30_000);
  });
});
