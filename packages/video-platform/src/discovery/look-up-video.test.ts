import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll, replyWith, setUp } from '../test-support/set-up.ts';
import { refusedBy, VIDEO_ID } from '../test-support/wire.ts';
import { createDiscovery } from './create-discovery.ts';

afterEach(closeAll);

const offline = (details: object) =>
  replyWith(
    JSON.stringify({
      ...JSON.parse(refusedBy('LIVE_STREAM_OFFLINE', 'Offline.')),
      videoDetails: { videoId: VIDEO_ID, title: 'A broadcast', isLiveContent: true, ...details },
    }),
  );

describe('looking a video up', () => {
  it.each([
    ['has not begun', { isUpcoming: true }, 'upcoming'],
    ['has ended', { isPostLiveDvr: true }, 'ended_recently'],
    ['ended without a mark', {}, 'ended_recently'],
    ['is interrupted', { isLive: true }, 'live'],
  ])(
    'a broadcast that %s is seen so, because a monitor reports what is out',
    async (_what, marks, broadcast) => {
      const { server } = await setUp({ ANDROID: offline(marks) });
      const discovery = createDiscovery({ origin: server.origin });
      const video = await discovery.lookUpVideo(VIDEO_ID, {}).finally(() => discovery.close());
      expect(video).toMatchObject({ title: 'A broadcast', broadcast });
    },
  );

  it('a video that the app alone refuses is not reported as gone', async () => {
    const gone = replyWith(refusedBy('ERROR', 'This video is unavailable'));
    const lookUp = async (script: Parameters<typeof setUp>[0]) => {
      const discovery = createDiscovery({ origin: (await setUp(script)).server.origin });
      return discovery.lookUpVideo(VIDEO_ID, {}).finally(() => discovery.close());
    };
    expect(await lookUp({ ANDROID: gone, WEB: gone })).toBeNull();
    await expect(lookUp({ ANDROID: gone })).rejects.toMatchObject({ code: 'upstream_error' });
  });
});
