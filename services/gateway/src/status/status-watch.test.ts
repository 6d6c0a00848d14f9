import { afterEach, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import { newStatusReport } from '../test-support/observed.ts';
import { type StatusWatch, watchStatus } from './status-watch.ts';

type Question = 'findGrantRecord' | 'getDayUsage' | 'getVideoFacts' | 'getStatus' | 'getHistory';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A watch whose rounds are held until the test lets the next one begin. */
const open = async (answers: Partial<Record<Question, () => Promise<unknown>>>) => {
  let rounds = 0;
  const good: Record<Question, () => Promise<unknown>> = {
    findGrantRecord: async () => ({ found: null }),
    getDayUsage: async () => ({}),
    getVideoFacts: async () => ({}),
    getStatus: async () => newStatusReport(),
    getHistory: async () => ({ days: [], incidents: [] }),
  };
  const call = ({ name }: { name: Question }) => {
    if (name === 'getVideoFacts') rounds += 1;
    return (answers[name] ?? good[name])();
  };
  const watch = await watchStatus({
    call: call as never,
    onStop: (_name, stop) => void stops.push(stop),
    now: () => new Date(),
    everyMs: 1,
  });
  /** After this many more rounds. */
  const after = async (more: number): Promise<ReturnType<StatusWatch['current']>> => {
    const wanted = rounds + more + 1;
    await eventually(() => expect(rounds).toBeGreaterThanOrEqual(wanted));
    return watch.current();
  };
  return { watch, after };
};
/** Fails so many times, and then answers. */
const failing = (times: number, code: 'service_unavailable' | 'unexpected_error', answer: unknown = {}) => {
  let left = times;
  return async () => {
    left -= 1;
    if (left >= 0) throw serviceError(code);
    return answer;
  };
};

describe('the status watch', () => {
  it('has polled before the first request', async () => {
    const { watch } = await open({});
    expect(watch.current()).toMatchObject({
      report: newStatusReport(),
      history: { days: [], incidents: [] },
    });
  });

  it('does not take one missing answer for an outage', async () => {
    const seen: { away: number; isObserved: boolean }[] = [];
    const { watch, after } = await open({
      getDayUsage: failing(1, 'service_unavailable'),
      getStatus: failing(1, 'service_unavailable', newStatusReport()),
    });
    seen.push({ away: watch.current().away.size, isObserved: watch.current().report !== null });
    const { away, report: observed } = await after(2);
    seen.push({ away: away.size, isObserved: observed !== null });
    expect(seen).toEqual([
      { away: 0, isObserved: false },
      { away: 0, isObserved: true },
    ]);
  });

  it('reports a service as away after two missing answers, until the next answer', async () => {
    const { after } = await open({
      findGrantRecord: failing(Number.POSITIVE_INFINITY, 'service_unavailable'),
    });
    expect([...(await after(2)).away]).toEqual(['accounts']);
    const back = await open({ findGrantRecord: failing(4, 'service_unavailable') });
    expect([...(await back.after(6)).away]).toEqual([]);
  });

  it('reports a service that refuses as reachable, without observations', async () => {
    const { after } = await open({
      getVideoFacts: failing(Number.POSITIVE_INFINITY, 'unexpected_error'),
      getStatus: failing(Number.POSITIVE_INFINITY, 'unexpected_error'),
    });
    const { away, report: observed } = await after(3);
    expect([[...away], observed]).toEqual([[], null]);
  });

  it('keeps the history while the status service is away', async () => {
    let asked = 0;
    const getHistory = async () => {
      asked += 1;
      if (asked > 1) throw serviceError('service_unavailable');
      return { days: [], incidents: [] };
    };
    const { after } = await open({ getHistory });
    expect((await after(90)).history).toEqual({ days: [], incidents: [] });
    expect(asked).toBeGreaterThan(2);
  });
});
