import assert from 'node:assert/strict';
import type { Answer, Player } from '../player.ts';

/** What must be true of one case; throws if it is not. */
export type Expectation = (player: Player) => Promise<void>;
export type Expectations = Readonly<Record<string, Expectation>>;

const summarize = ({ status, body, text }: Answer): string =>
  body.code ? `${status} ${body.code} ${body.message}` : `${status} ${text.slice(0, 200)}`;

export const assertDelivered = (answer: Answer): Answer => {
  assert.equal(answer.status, 200, summarize(answer));
  return answer;
};

/** An error of the envelope that has cost nothing; never one that says that this service has failed. */
export const assertRefused = (
  answer: Answer,
  expected: {
    readonly status?: number;
    readonly code?: string;
    readonly errorClass?: string;
    readonly retryable?: boolean;
  } = {},
): void => {
  assert.ok(answer.status >= 400 && answer.status !== 500, summarize(answer));
  assert.equal(answer.body.ok, false, summarize(answer));
  for (const [name, value] of Object.entries(expected))
    assert.equal(name === 'status' ? answer.status : answer.body[name], value, summarize(answer));
};

export const assertDeliveredOrRefused = (answer: Answer): void => {
  if (answer.status !== 200) assertRefused(answer);
};

export const cueTexts = ({ body }: Answer): string[] => body.cues.map(({ text }: { text: string }) => text);

/** Reads a video in the given formats: the JSON first, then each text. */
export const readFormats = async (
  player: Player,
  videoId: string,
  formats: readonly string[],
): Promise<[Answer, ...string[]]> => {
  const json = assertDelivered(await player.read(videoId, { format: 'json' }));
  const texts: string[] = [];
  for (const format of formats) texts.push(assertDelivered(await player.read(videoId, { format })).body.text);
  return [json, ...texts];
};

export const delivered =
  (videoId: string, query: Record<string, string> = {}): Expectation =>
  async (player) => {
    assertDelivered(await player.read(videoId, query));
  };

export const refused =
  (videoId: string, expected: Parameters<typeof assertRefused>[1]): Expectation =>
  async (player) =>
    assertRefused(await player.read(videoId), expected);

/** A case that is open: any clear answer is right. */
export const open =
  (videoId: string, query: Record<string, string> = {}): Expectation =>
  async (player) =>
    assertDeliveredOrRefused(await player.read(videoId, query));
