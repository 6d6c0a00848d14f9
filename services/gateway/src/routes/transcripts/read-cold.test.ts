import { describe, expect, it } from '@jest/globals';
import type { TranscriptAnswer } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { newTranscript } from '../../test-support/builders.ts';
import { readCold } from './read-cold.ts';

const OWN = '0190a000-0000-7000-8000-000000000001';
const JOINED = '0190a000-0000-7000-8000-000000000002';
const delivered: TranscriptAnswer = newTranscript('Hello');
const pending = (requestId: string): TranscriptAnswer => ({ state: 'pending', requestId });
const lost = serviceError('service_unavailable', { cause: new Error('timeout') });
const notReceived = serviceError('service_unavailable', {
  nothingBegun: true,
  cause: new Error('no fetcher'),
});
const answered = serviceError('service_unavailable');
const unknown = serviceError('request_not_found');

/** Each answer comes once, the last one for ever; each takes `stepMs` of a clock that nothing else moves. */
const reading = async (script: readonly (TranscriptAnswer | Error)[], stepMs = 1_000, endingMs = Infinity) => {
  let now = 0;
  const asked: string[] = [];
  const waits: number[] = [];
  const say = async (name: string, waitMs: number): Promise<TranscriptAnswer> => {
    now += stepMs;
    waits.push(waitMs);
    const answer = script[Math.min(asked.length, script.length - 1)];
    asked.push(name);
    if (answer instanceof Error) throw answer;
    return answer as TranscriptAnswer;
  };
  const read = { requestId: OWN, start: (waitMs: number) => say('start', waitMs), poll: say };
  const isEnding = () => now >= endingMs;
  const outcome = await readCold(read, { clock: () => now, coldWaitMs: 25_000, isEnding }).catch(
    (error: unknown) => error,
  );
  return { outcome, asked, waits };
};

describe('a cold read', () => {
  it('is polled by its id if the answer is lost with its instance', async () => {
    expect(await reading([lost, delivered])).toMatchObject({ outcome: delivered, asked: ['start', OWN] });
  });

  it('returns the error of the work itself, not that of a lost answer', async () => {
    const error = serviceError('no_captions');
    expect((await reading([lost, error])).outcome).toBe(error);
  });

  it('fails if no instance knows it, or none received it', async () => {
    expect(await reading([lost, unknown])).toMatchObject({ outcome: lost, asked: ['start', OWN] });
    expect(await reading([notReceived])).toMatchObject({ outcome: notReceived, asked: ['start'] });
  });

  it('fails at once if the fetcher reports a failure twice, and waits on if it was accepted', async () => {
    expect(await reading([answered, answered])).toMatchObject({ outcome: answered, asked: ['start', OWN] });
    expect(await reading([answered, pending(OWN), answered, answered, delivered])).toMatchObject({
      outcome: delivered,
      asked: ['start', OWN, OWN, OWN, OWN],
    });
  });

  it('that was accepted is answered 202 if its last polls reach no instance', async () => {
    const { outcome } = await reading([pending(OWN), notReceived], 8_000);
    expect(outcome).toEqual(pending(OWN));
    expect((await reading([pending(OWN), lost, pending(OWN), notReceived], 8_000)).outcome).toEqual(
      pending(OWN),
    );
  });

  it('is not answered 202 after a lost answer, which may have reported the charge', async () => {
    expect(await reading([pending(OWN), lost], 8_000)).toMatchObject({
      outcome: lost,
      asked: ['start', OWN, OWN, OWN],
    });
    expect((await reading([pending(OWN), lost, notReceived], 8_000)).outcome).toBe(lost);
    expect((await reading([pending(OWN), lost, pending(OWN)], 13_000)).outcome).toEqual(pending(OWN));
    expect((await reading([pending(OWN), lost, delivered], 13_000)).outcome).toBe(delivered);
  });

  it('with a lost answer is not called unbegun because a poll was rejected unread', async () => {
    const refused = serviceError('service_unavailable', { nothingBegun: true });
    expect((await reading([lost, refused])).outcome).toBe(lost);
  });

  it('is answered 202 if this process stops', async () => {
    const stopsAtMs = 2_000;
    expect(await reading([pending(OWN), pending(OWN), delivered], 1_000, stopsAtMs)).toMatchObject({
      outcome: pending(OWN),
      asked: ['start', OWN],
    });
    expect((await reading([pending(OWN), lost, pending(OWN)], 1_000, stopsAtMs)).outcome).toEqual(pending(OWN));
    expect((await reading([pending(OWN), lost, lost], 1_000, stopsAtMs)).outcome).toBe(lost);
  });

  it('waits at most a second at once while this process stops: its last answers come in time', async () => {
    const { outcome, waits } = await reading([pending(OWN), delivered], 1_000, 0);
    expect([outcome, waits]).toEqual([pending(OWN), [1_000]]);
    expect((await reading([pending(OWN), delivered])).waits).toEqual([5_000, 5_000]);
  });

  it('is waited for in slices, under the id of the work that it joined', async () => {
    expect(await reading([pending(JOINED), pending(JOINED), delivered])).toMatchObject({
      outcome: delivered,
      asked: ['start', JOINED, JOINED],
    });
  });

  it('is pending after 25 s', async () => {
    const { outcome, asked } = await reading([pending(OWN)], 5_000);
    expect([outcome, asked.length]).toEqual([pending(OWN), 5]);
  });

  it('fails soon if its start is not confirmed', async () => {
    expect(await reading([lost], 2_000)).toMatchObject({ outcome: lost, asked: ['start', OWN, OWN] });
  });
});
