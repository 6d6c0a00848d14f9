import { afterEach, expect, it, jest } from '@jest/globals';
import { createProgress } from './progress.ts';

afterEach(() => {
  jest.useRealTimers();
});

const EVERY_MS = 250;

const start = () => {
  jest.useFakeTimers();
  const told: unknown[] = [];
  const hint = (_: unknown, payload: unknown) => void told.push(payload);
  return { progress: createProgress({ hint } as never, EVERY_MS), told };
};
const job = (version: number, finishedAt: Date | null = null) => ({ id: 'job', version, finishedAt });

it('tells the first news at once, what follows as one, and the end without waiting for that', () => {
  const { progress, told } = start();
  for (const version of [1, 2, 3]) progress.hint(job(version));
  expect(told).toEqual([{ jobId: 'job', version: 1, hasEnded: false }]);
  jest.advanceTimersByTime(EVERY_MS);
  expect(told.at(-1)).toEqual({ jobId: 'job', version: 3, hasEnded: false });
  progress.hint(job(4));
  progress.hint(job(5, new Date()));
  expect(told.slice(2)).toEqual([{ jobId: 'job', version: 5, hasEnded: true }]);
});

it('leaves no timer behind, and nothing to tell, when a job has ended', () => {
  const { progress, told } = start();
  progress.hint(job(1));
  progress.hint(job(2));
  progress.hint(job(3, new Date()));
  expect(jest.getTimerCount()).toBe(0);
  jest.advanceTimersByTime(EVERY_MS);
  expect(told).toHaveLength(2);
});

it('leaves no timer behind when nothing is new, or the service stops', () => {
  const { progress } = start();
  progress.hint(job(1));
  jest.advanceTimersByTime(EVERY_MS);
  expect(jest.getTimerCount()).toBe(0);
  progress.hint(job(2));
  progress.stop();
  expect(jest.getTimerCount()).toBe(0);
});
