import type { Answer } from '@transcript-delivery/sdk';
import { type Found, linksElsewhere, mayBeSource } from '../job-plan.ts';
import { fetchAnswer, Refusal, send } from './send.ts';

/** What a word is that names one video, or nothing that has videos. */
const notSources: readonly string[] = ['single_video', 'bulk_input_required'];
const ACCEPTED = 202;
const SECOND_MS = 1_000;
const POLL_SECONDS = 2;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks again while the listing is not complete. */
const list = async (url: string, key: string): Promise<Answer<'listVideos'>> => {
  for (;;) {
    const response = await fetchAnswer('GET', `/v1/videos?url=${encodeURIComponent(url)}`, { key });
    if (response.status !== ACCEPTED) return (await response.json()) as Answer<'listVideos'>;
    await sleep(Number(response.headers.get('retry-after') ?? POLL_SECONDS) * SECOND_MS);
  }
};

const resolve = async (text: string, key: string): Promise<Found> => {
  const {
    found,
    notFound,
    list: input,
  } = await send<Answer<'resolveVideos'>>('POST', '/v1/videos/resolve', {
    body: { text },
    key,
  });
  const lost = [...notFound.map(({ value }) => value), ...linksElsewhere(text)];
  return { input: input ?? '', kind: 'list', videos: found, total: found.length, lost, omitted: 0 };
};

/** Resolves a pasted text: a channel, a playlist, or any text with links and ids. Throws a `Refusal`. */
export const findVideos = async (text: string, key: string): Promise<Found> => {
  if (!mayBeSource(text)) return resolve(text, key);
  const input = text.trim();
  try {
    const { source, videos, total, omitted } = await list(input, key);
    return { input, kind: source.kind, videos, total, lost: [], omitted };
  } catch (error) {
    if (error instanceof Refusal && notSources.includes(error.body.code)) return resolve(text, key);
    throw error;
  }
};
