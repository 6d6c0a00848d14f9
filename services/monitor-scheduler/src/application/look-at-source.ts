import { ServiceError, serviceError } from '@tds/contracts';
import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { MOST_ASKED } from '../domain/cadence.ts';
import { listOf, type Source } from '../domain/source.ts';
import type { Entry } from '../store/videos.ts';

export type Look =
  | { readonly kind: 'read'; readonly title: string | null; readonly entries: readonly Entry[] }
  /** `counts`: it is about this source, not about our ways to the platform. */
  | { readonly kind: 'failed'; readonly error: ServiceError; readonly counts: boolean };

export const notFound = () =>
  serviceError('source_not_found', { message: 'The platform has no feed of this channel or playlist.' });

/** The platform says 404 of feeds that exist on its bad days: its list of the same videos knows better. */
const compareWithList = async (platform: Deps['platform'], source: Source, call: Call): Promise<Look> => {
  try {
    const { items } = await platform.listPage(listOf(source), null, call);
    return { kind: 'read', title: null, entries: items };
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { kind: 'failed', error: notFound(), counts: true };
  }
};

/** The newest videos of a source. */
export const lookAtSource = async (
  { platform }: Pick<Deps, 'platform'>,
  source: Source,
  call: Call,
): Promise<Look> => {
  const read = await platform.readFeed(source.id, call);
  switch (read.outcome) {
    case 'read': {
      const { title, channelTitle, entries } = read.feed;
      return { kind: 'read', title: title ?? channelTitle, entries };
    }
    case 'missing':
      return compareWithList(platform, source, call);
    case 'failed':
      return { kind: 'failed', error: read.error, counts: read.error.wasAsked };
  }
};

/** `unknown`: the platform did not say. */
export type Answer = 'out' | 'upcoming' | 'unknown';

const ask = async ({ lookUpVideo }: Deps['platform'], id: string, call: Call): Promise<Answer> => {
  try {
    const video = await lookUpVideo(id, call);
    return video?.broadcast === 'upcoming' ? 'upcoming' : 'out';
  } catch (thrown) {
    if (thrown instanceof ServiceError) return 'unknown';
    throw thrown;
  }
};

/** Whether these videos are out yet, which feeds do not say. One after the other: nobody waits for it. */
export const askWhetherOut = async (
  { platform }: Pick<Deps, 'platform'>,
  ids: readonly string[],
  call: Call,
): Promise<Map<string, Answer>> => {
  const answers = new Map<string, Answer>();
  for (const id of ids.slice(0, MOST_ASKED)) answers.set(id, await ask(platform, id, call));
  return answers;
};
