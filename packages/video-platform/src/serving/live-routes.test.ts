import { afterEach, describe, expect, it } from '@jest/globals';
import { defaultStrategies, type Strategy } from '../config/strategies.ts';
import { createDiscovery } from '../discovery/create-discovery.ts';
import { captions, closeAll, closeLater, replyWith, setUp } from '../test-support/set-up.ts';
import { playable, speech, VIDEO_ID } from '../test-support/wire.ts';
import { readCues } from '../timedtext/read-captions.ts';
import { chooseTrack } from '../tracks/choose-track.ts';

afterEach(closeAll);

const [android, visionos] = defaultStrategies as [Strategy, Strategy];
const english = replyWith(playable([speech('en')]));
const readVersion = (asked: { body: string } | undefined): string =>
  JSON.parse(asked?.body ?? '{}').context.client.clientVersion;

const live = async (first: readonly Strategy[], script: Parameters<typeof setUp>[0]) => {
  let rows = first;
  const set = await setUp(script, { strategies: () => rows });
  const change = (...next: readonly Strategy[]) => {
    rows = next;
  };
  return { ...set, change };
};

describe('strategies that change while calls are under way', () => {
  it('are asked from the next call on', async () => {
    const { inspect, server, change } = await live([android], { ANDROID: english });
    await inspect();
    change({ ...android, clientVersion: '99.1' });
    await inspect();
    expect(server.requests.map(readVersion)).toEqual([android.clientVersion, '99.1']);
  });

  it('keep the circuits of rows that did not change, and give new ones to those that did', async () => {
    const { failure, platform, change } = await live([android, visionos], {});
    for (const id of ['abcdefghij1', 'abcdefghij2', 'abcdefghij3'])
      await platform.inspectVideo(id, { language: 'en' }, {}).catch(() => failure);
    const states = () => platform.strategyHealth().map(({ strategy, state }) => `${strategy} ${state}`);
    expect(states()).toEqual(['android open', 'visionos open']);
    change({ ...visionos }, { ...android, clientVersion: '99.1' });
    expect(states()).toEqual(['visionos open', 'android closed']);
  });

  it('do not lose a video whose player was asked before', async () => {
    const script = { ANDROID: english, VISIONOS: english, timedtext: captions };
    const { inspect, platform, outcomes, change } = await live([android], script);
    const inspection = await inspect();
    change(visionos);
    const choice = chooseTrack(inspection, { language: 'en', fallback: true });
    expect(await platform.fetchTrack(inspection, choice, {}, readCues)).toHaveLength(2);
    expect(outcomes()).toEqual(['android ok', 'visionos ok', 'visionos ok']);
  });
});

describe('the clients of searches, listings and look-ups', () => {
  const open = async (strategies: readonly Strategy[]) => {
    const { server } = await setUp({});
    const discovery = createDiscovery({ origin: server.origin, strategies });
    closeLater(() => discovery.close());
    const asked = { query: 'words', type: 'video', channelId: null } as const;
    await discovery.search(asked, null, {}).catch(() => undefined);
    await discovery.lookUpVideo(VIDEO_ID, {}).catch(() => undefined);
    return server.requests.map(({ url, body }) => `${url.pathname.split('/').at(-1)} ${readVersion({ body })}`);
  };
  const web = defaultStrategies.find(({ name }) => name === 'web')!;
  const row = (given: Strategy, more: Partial<Strategy>): Strategy => ({ ...given, ...more });

  it('are the rows of their names', async () => {
    const rows = [visionos, row(web, { clientVersion: '2.9' }), row(android, { clientVersion: '9.9' })];
    expect(await open(rows)).toEqual(['search 2.9', 'player 2.9', 'player 9.9']);
  });

  it('else the first of their family that needs no token', async () => {
    const rows = [
      row(web, { name: 'tokens', clientVersion: '2.7', needs: 'po_token' }),
      row(web, { name: 'mweb', client: 'MWEB', clientVersion: '2.8' }),
      visionos,
    ];
    expect(await open(rows)).toEqual(['search 2.8', 'player 2.8', `player ${visionos.clientVersion}`]);
  });

  it('else the built-in ones', async () => {
    expect(await open([visionos])).toEqual([
      `search ${web.clientVersion}`,
      `player ${web.clientVersion}`,
      `player ${visionos.clientVersion}`,
    ]);
  });
});
