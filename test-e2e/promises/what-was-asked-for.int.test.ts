import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operationErrors, type TranscriptFormat, tierLimits } from '@tds/contracts';
import { service as gateway } from '@tds/gateway';
import type { loadServices } from '@tds/local';
import { eventually } from '@tds/test-kit';
import { coldLimits, service as fetcher } from '@tds/transcript-fetcher';
import { contentTypes } from '@tds/transcript-format';
import fc from 'fast-check';
import {
  type Answer,
  type Customer,
  creditsCharged,
  everyPairOfFormats,
  expectedContent,
  fileVideo,
  latencyOf,
  predictResult,
  type ReadRequest,
  readPath,
  type Scenario,
  SECOND_MS,
  shareTestSystem,
  signUp,
  type TestSystem,
  withoutFrontMatter,
} from '#support/testing';

const COLD_WAIT_SECONDS = 25;
const MANY = 1_000_000;
const ACCEPTED = 202;
const SERVER_ERROR = 500;
const READERS = 6;
const AT_ONCE = 16;
const RUNS = 1;
/** Reservations are compared each minute. */
const COMPARED = { everyMs: 250 };

let system: TestSystem;
let readers: Customer[];
let videos = 0;
const nextVideo = () => fileVideo(++videos);

/** Without limits that have nothing to do with it, and with the wait before a hand-over in the test's seconds. */
const unlimited = (): Awaited<ReturnType<typeof loadServices>> => {
  const many = { requestsPerMinute: MANY, concurrentColdFetches: MANY, cacheReadsPerDay: MANY };
  const limits = { free: { ...tierLimits.free, ...many }, paid: { ...tierLimits.paid, ...many } };
  return [
    gateway.with({ limits, coldWaitMs: COLD_WAIT_SECONDS * SECOND_MS }),
    fetcher.with({
      limits: { ...coldLimits, perKey: { free: MANY, paid: MANY }, perNewAccount: MANY },
    }),
  ];
};

beforeAll(async () => {
  // A hold that reached the ledger after its work had ended is found by comparison: a connection may go stale on a busy machine.
  system = await shareTestSystem();
  await system.replaceServices(['gateway', 'transcript-fetcher'], unlimited(), { ORPHANED_AFTER: '30s' });
  readers = [];
  while (readers.length < READERS) readers.push(await signUp(system));
});
afterAll(() => system?.stop());

type Heard = { readonly ask: ReadRequest; readonly answers: readonly Answer[] };

/**
 * On a busy machine a part may be late: cold work is refused for a moment, or an operation ends without its work. Such an answer
 * says that asking again helps, and must have cost nothing; what a scenario refuses is never one of these.
 */
const isPassingTrouble = (answer: Answer, expected: ReturnType<typeof predictResult>): boolean => {
  if (answer.status < SERVER_ERROR) return false;
  const { code, retryable } = answer.json<{ code: string; retryable: boolean }>();
  return retryable && !('error' in expected && expected.error === code);
};

/** Whether the work itself has failed. */
const hasFailed = (answer: Answer): boolean =>
  answer.status >= SERVER_ERROR &&
  (operationErrors as readonly string[]).includes(answer.json<{ code: string }>().code);

async function read(scenario: Scenario, reader: Customer, videoId: string, ask: ReadRequest): Promise<Heard> {
  await new Promise((resolve) => setTimeout(resolve, ask.afterSeconds * SECOND_MS));
  const answers: Answer[] = [];
  let path = readPath(videoId, ask);
  await eventually(async () => {
    const answer = await reader.get(path);
    answers.push(answer);
    if (answer.status === ACCEPTED) path = answer.json<{ poll_url: string }>().poll_url;
    // What was accepted is charged, so a poll is repeated until the work itself has ended.
    else if (hasFailed(answer)) path = readPath(videoId, ask);
    expect(answer.status).not.toBe(ACCEPTED);
    expect(isPassingTrouble(answer, predictResult(scenario, ask))).toBe(false);
  });
  for (const answer of answers.slice(0, -1)) expect(creditsCharged(answer)).toBe(0);
  return { ask, answers };
}

function expectWhatWasAskedFor(scenario: Scenario, videoId: string, { ask, answers }: Heard): void {
  const answer = answers.at(-1) as Answer;
  const expected = predictResult(scenario, ask);
  if ('error' in expected) {
    expect(answer.json()).toMatchObject({ ok: false, code: expected.error });
    return;
  }
  const format = ask.format ?? 'both';
  expect({ status: answer.status, content: contentOf(answer, format, ask.raw) }).toEqual({
    status: 200,
    content: expectedContent(videoId, expected.delivered, format),
  });
  if (ask.raw) {
    expect(answer.headers.get('content-type')).toBe(contentTypes[format]);
    expect(answer.headers.get('content-language')).toBe(expected.delivered);
    expect(answer.headers.get('x-transcript-language-requested')).toBe(ask.language);
    expect(answer.headers.get('x-transcript-fallback')).toBe(String(expected.fallback));
    expect(answer.headers.get('x-transcript-translation')).toBe(expected.translation);
  } else {
    const { language } = ask;
    expect(answer.json()).toMatchObject({ video: { id: videoId }, format });
    expect(answer.json()).toMatchObject({ language: { requested: language, kind: 'manual', ...expected } });
  }
}

const contentOf = (answer: Answer, format: TranscriptFormat, raw: boolean): unknown => {
  if (raw && format === 'json') return answer.json<unknown>();
  const { text, cues } = raw ? { text: answer.text } : answer.json<{ text?: string; cues?: unknown }>();
  return cues ?? withoutFrontMatter(String(text));
};

const charged = (heard: readonly Heard[]): number =>
  heard.flatMap(({ answers }) => answers).reduce((sum, answer) => sum + creditsCharged(answer), 0);

/** Returns the charges that each reader's answers reported. */
async function play(scenario: Scenario, place: number): Promise<ReadonlyMap<Customer, number>> {
  const videoId = nextVideo();
  const match = { videoId };
  const { faults } = system.simulator;
  if (scenario.isTranslationRefused) faults.add({ match, fault: 'translation_too_many_requests' });
  faults.add({ match, fault: 'slow', latencyMs: latencyOf(scenario) });
  const [opener, other, later] = [0, 1, 2].map((n) => readers[(place + n) % READERS]) as [
    Customer,
    Customer,
    Customer,
  ];
  const by = { opener, other };
  const heard = await Promise.all(scenario.asks.map((ask) => read(scenario, by[ask.reader], videoId, ask)));
  const again = await Promise.all(
    scenario.asks.map((ask) => read(scenario, later, videoId, { ...ask, afterSeconds: 0 })),
  );
  for (const one of [...heard, ...again]) expectWhatWasAskedFor(scenario, videoId, one);
  expect(charged(again)).toBe(0);
  const of = (reader: ReadRequest['reader']): number => {
    const own = heard.filter(({ ask }) => ask.reader === reader);
    const tracks = own
      .map(({ ask }) => predictResult(scenario, ask))
      .flatMap((one) => ('error' in one ? [] : one.delivered));
    expect(charged(own)).toBeLessThanOrEqual(new Set(tracks).size);
    return charged(own);
  };
  return new Map([
    [opener, of('opener')],
    [other, of('other')],
  ]);
}

const availableTo = async (reader: Customer): Promise<number> =>
  (await reader.get('/v1/account')).json<{ credits: { available: number } }>().credits.available;

describe('a customer who reads the same video at the same time as others', () => {
  it('gets the requested video, language and format and no other, and pays what answers reported', async () => {
    await fc.assert(
      fc.asyncProperty(everyPairOfFormats, async (scenarios) => {
        const before = await Promise.all(readers.map(availableTo));
        const reported = new Map<Customer, number>();
        const waiting = scenarios.entries();
        const playAll = async () => {
          for (const [place, scenario] of waiting) {
            for (const [reader, credits] of await play(scenario, place)) {
              reported.set(reader, (reported.get(reader) ?? 0) + credits);
            }
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, playAll));
        // What a 5xx has held or charged is released when its work has ended, or by the next comparison: or it is a breach.
        await eventually(async () => {
          const after = await Promise.all(readers.map(availableTo));
          expect(after).toEqual(
            before.map((credits, place) => credits - (reported.get(readers[place] as Customer) ?? 0)),
          );
        }, COMPARED);
      }),
      // A smaller example would be another race: the failure names its seed.
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
