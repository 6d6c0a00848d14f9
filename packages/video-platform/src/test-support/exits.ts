import { ServiceError } from '@tds/errors';
import { type ExitGateway, startExitGateway } from '@tds/simulators/platform/testing';
import { readCues } from '../timedtext/read-captions.ts';
import { chooseTrack } from '../tracks/choose-track.ts';
import type { AttemptRecord, Exit, VideoPlatformOptions } from '../types.ts';
import { createVideoPlatform } from '../video-platform.ts';
import { type Received, type Scripted, startScriptedPlatform } from './scripted-platform.ts';
import { closeLater } from './set-up.ts';
import { json3, playable, refusedBy, wireTrack } from './wire.ts';

const botCheck = refusedBy('LOGIN_REQUIRED', 'Sign in to confirm you\u2019re not a bot');

/** The first `share` of ten of all addresses are blocked. */
export const blocks =
  (share: number) =>
  ({ remoteAddress }: Received): boolean =>
    Number(remoteAddress.split('.').at(-1)) % 10 < share;

export const readVideoId = ({ url, body }: Received): string =>
  url.searchParams.get('v') ?? JSON.parse(body).videoId;

const isCaptions = ({ url }: Received): boolean => url.pathname === '/api/timedtext';

/** A bot check, or a page in place of captions. */
const block = (request: Received): Scripted =>
  isCaptions(request)
    ? { headers: { 'content-type': 'text/html' }, body: '<html><title>Sorry...</title></html>' }
    : { body: botCheck };

/** A platform that answers a blocked address with a bot check, or as `refuse` says. */
export const startPlatform = async (
  isBlocked: (request: Received) => boolean,
  refuse: (request: Received) => Scripted = block,
) => {
  const server = await startScriptedPlatform((request) => {
    if (isBlocked(request)) return refuse(request);
    if (isCaptions(request)) return { body: json3('a') };
    return { body: playable([wireTrack('en')]).replaceAll('abcdefghij0', readVideoId(request)) };
  });
  closeLater(server.close);
  return server;
};

export const startGateway = async (): Promise<ExitGateway> => {
  const gateway = await startExitGateway();
  closeLater(gateway.close);
  return gateway;
};

export const toRotatingExit = ({ http }: ExitGateway): Exit => ({
  name: 'rotating',
  proxyUrl: `http://user-session-{session}:secret@${http}`,
});

export const openPlatform = (origin: string, exit: Exit, options: Partial<VideoPlatformOptions> = {}) => {
  const attempts: AttemptRecord[] = [];
  const platform = createVideoPlatform({
    origin,
    exits: [exit],
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
  });
  closeLater(() => platform.close());
  const deliver = async (number: number): Promise<string> => {
    try {
      const videoId = `video${String(number).padStart(6, '0')}`;
      const inspection = await platform.inspectVideo(videoId, { language: 'en' }, {});
      const choice = chooseTrack(inspection, { language: 'en', fallback: true });
      await platform.fetchTrack(inspection, choice, {}, readCues);
      return 'delivered';
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  };
  /** Outcomes of `count` videos, four at a time. */
  const deliverAll = async (count: number): Promise<string[]> => {
    const outcomes: string[] = [];
    for (let number = 0; number < count; number += 4) {
      const four = [0, 1, 2, 3].map((offset) => deliver(number + offset));
      outcomes.push(...(await Promise.all(four)));
    }
    return outcomes;
  };
  return { platform, attempts, deliver, deliverAll };
};
