import { afterEach, expect, it, jest } from '@jest/globals';
import { createProgress } from './progress.ts';

afterEach(() => {
  jest.useRealTimers();
});

const EVERY_MS = 250;

const start = () => {
  jest.useFakeTimers();
  const hints: unknown[] = [];
  const hint = (_: unknown, payload: unknown) => void hints.push(payload);
  return { progress: createProgress({ hint } as never, EVERY_MS), hints };
};
const job = (version: number, finishedAt: Date | null = null) => ({ id: 'job', version, finishedAt });

it('hints the first change at once, later ones together, and the end without delay', () => {
  const { progress, hints } = start();
  for (const version of [1, 2, 3]) progress.hint(job(version));
  expect(hints).toEqual([{ jobId: 'job', version: 1, hasEnded: false }]);
  jest.advanceTimersByTime(EVERY_MS);
  expect(hints.at(-1)).toEqual({ jobId: 'job', version: 3, hasEnded: false });
  progress.hint(job(4));
  progress.hint(job(5, new Date()));
  expect(hints.slice(2)).toEqual([{ jobId: 'job', version: 5, hasEnded: true }]);
});

it('leaves no timer and no pending hint when a job has ended', () => {
  const { progress, hints } = start();
  progress.hint(job(1));
  progress.hint(job(2));
  progress.hint(job(3, new Date()));
  expect(jest.getTimerCount()).toBe(0);
  jest.advanceTimersByTime(EVERY_MS);
  expect(hints).toHaveLength(2);
});

it('leaves no timer when nothing changed, or when the service stops', () => {
  const { progress } = start();
  progress.hint(job(1));
  jest.advanceTimersByTime(EVERY_MS);
  expect(jest.getTimerCount()).toBe(0);
  progress.hint(job(2));
  progress.stop();
  expect(jest.getTimerCount()).toBe(0);
});
