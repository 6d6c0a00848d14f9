import { beforeEach, describe, expect, it } from '@jest/globals';
import { createProgress } from './progress.ts';

const LIMIT_MS = 1_000;

describe('the watch over the progress of tasks', () => {
  let nowMs = 0;
  let hasRoom = true;
  let progress: ReturnType<typeof createProgress>;
  beforeEach(() => {
    nowMs = 0;
    hasRoom = true;
    progress = createProgress({ limitMs: LIMIT_MS, hasRoom: () => hasRoom, now: () => nowMs });
  });
  /** Polls every half of the limit; returns whether it complains at the end. */
  const isStuckAfter = (...ids: readonly (string | null)[]): boolean => {
    for (const id of ids) {
      nowMs += LIMIT_MS / 2;
      progress.record([{ name: 'do-work', id, dueSeconds: 100 }]);
    }
    try {
      progress.check();
      return false;
    } catch {
      return true;
    }
  };

  it('complains about a task that is passed over although there is room, with its name and id', () => {
    expect(isStuckAfter('a', 'a', 'a', 'a')).toBe(true);
    expect(() => progress.check()).toThrow('do-work a is due and not begun for 2 s with room');
  });

  it('has nothing against a queue that is long and moves', () => {
    expect(isStuckAfter('a', 'b', 'c', 'd', 'e', 'f')).toBe(false);
  });

  it('has nothing against waiting while there is no room', () => {
    hasRoom = false;
    expect(isStuckAfter('a', 'a', 'a', 'a')).toBe(false);
  });

  it('counts from when there was room again', () => {
    hasRoom = false;
    isStuckAfter('a', 'a', 'a');
    hasRoom = true;
    expect(isStuckAfter('a', 'a')).toBe(false);
    expect(isStuckAfter('a', 'a')).toBe(true);
  });

  it('is content again once the task has begun', () => {
    expect(isStuckAfter('a', 'a', 'a', 'a')).toBe(true);
    expect(isStuckAfter(null)).toBe(false);
  });

  it('complains if no process polls any more', () => {
    expect(isStuckAfter(null)).toBe(false);
    nowMs += LIMIT_MS * 2;
    expect(() => progress.check()).toThrow('tasks were polled 2 s ago');
  });

  it('does not count the time in which nothing was known', () => {
    isStuckAfter('a', 'a');
    progress.forget();
    expect(isStuckAfter('a', 'a')).toBe(false);
  });
});
