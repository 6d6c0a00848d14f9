import type { AttemptRecord, VideoPlatformOptions } from '../types.ts';
import { createVideoPlatform } from '../video-platform.ts';
import { type Received, type Scripted, startScriptedPlatform } from './scripted-platform.ts';
import { json3, VIDEO_ID } from './wire.ts';

export type Script = Readonly<Record<string, (request: Received) => Scripted>>;

const closing: (() => Promise<void>)[] = [];

/** Closes everything that a file's tests opened; for `afterEach`. */
export const closeAll = async (): Promise<void> => {
  await Promise.all(closing.splice(0).map((close) => close()));
};
export const closeLater = (...closes: readonly (() => Promise<void>)[]): void => {
  closing.push(...closes);
};

export const replyWith = (body: string) => (): Scripted => ({ body });
export const captions = replyWith(json3('one', 'two'));
const missing = (): Scripted => ({ status: 500 });

/** A platform whose clients, watch page and captions answer as scripted; all others fail. */
export const setUp = async (script: Script, options: Partial<VideoPlatformOptions> = {}) => {
  const server = await startScriptedPlatform((request) => {
    const name = request.client || request.url.pathname.split('/').at(-1) || '';
    return (script[name] ?? missing)(request);
  });
  const attempts: AttemptRecord[] = [];
  const platform = createVideoPlatform({
    origin: server.origin,
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
  });
  closing.push(() => platform.close(), server.close);
  const inspect = (language = 'en', signal?: AbortSignal) =>
    platform.inspectVideo(VIDEO_ID, { language }, signal === undefined ? {} : { signal });
  const outcomes = () => attempts.map((attempt) => `${attempt.strategy} ${attempt.outcome}`);
  const failure = async (language?: string): Promise<unknown> =>
    inspect(language).then(
      () => Promise.reject(new Error('nothing was thrown')),
      (thrown) => thrown,
    );
  return { server, platform, inspect, failure, attempts, outcomes };
};
