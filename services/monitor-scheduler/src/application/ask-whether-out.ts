import { ServiceError } from '@tds/contracts';
import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { MOST_ASKED } from '../domain/cadence.ts';

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
