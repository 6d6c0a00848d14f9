import { describe, expect, it } from '@jest/globals';
import { newTaskId } from './enqueue.ts';

describe('the id of a task', () => {
  it('is a UUID of version 7 that begins with its milliseconds', () => {
    const id = newTaskId(Date.UTC(2026, 10, 20));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 10, 20));
  });

  it('sorts by time, and is another one each time', () => {
    expect(newTaskId(1_000) < newTaskId(1_001)).toBe(true);
    expect(new Set(Array.from({ length: 1_000 }, () => newTaskId(1))).size).toBe(1_000);
  });
});
