import { describe, expect, it } from '@jest/globals';
import { giantChannel, MIXED_PLAYLIST_ID, specialVideos } from './index.ts';
import { startPlatformSimulator } from './start-platform-simulator.ts';
import { captionAddress, fetchText, type PlayerAnswer, postPlayer } from './test-support/platform-client.ts';
import { answerFiles, answerSources } from './testing/answers/index.ts';

/** Written in other sources, but in none of the answers at hand. */
const reportedElsewhere = new Set([
  'playabilityStatus.errorScreen.playerCaptchaViewModel',
  'playabilityStatus.liveStreamability',
  'playabilityStatus.liveStreamability.liveStreamabilityRenderer',
  'playabilityStatus.liveStreamability.liveStreamabilityRenderer.offlineSlate',
  'playabilityStatus.liveStreamability.liveStreamabilityRenderer.offlineSlate.liveStreamOfflineSlateRenderer',
  'playabilityStatus.liveStreamability.liveStreamabilityRenderer.offlineSlate.liveStreamOfflineSlateRenderer.scheduledStartTime',
  'videoDetails.isLive',
  'videoDetails.isUpcoming',
  'videoDetails.keywords',
]);

/** Renderers that peers read and that the answers at hand lack. */
const reportedByPeers = new Set([
  ...['showingResultsForRenderer', 'didYouMeanRenderer', 'correctedQuery'],
  ...['playlistVideoListRenderer', 'playlistId', 'urlEndpoint'],
]);

/** The last key of every path: the same renderer stands in several places. */
const keyNames = (paths: ReadonlySet<string>): Set<string> =>
  new Set([...paths].map((path) => path.split('.').at(-1) ?? ''));

const keyPaths = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => keyPaths(item, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return [here, ...keyPaths(inner, here)];
  });
};

const playerOf = (body: string): unknown => {
  const answer = JSON.parse(body);
  return answer.playerResponse ?? answer;
};

const pathsIn = (files: readonly { readonly name: string }[], read: (body: string) => unknown): Set<string> =>
  new Set(answerSources.flatMap(({ body }) => files.flatMap(({ name }) => keyPaths(read(body(name))))));

const broken = /^(garbageTxt1|html|trunc|hangs|slow|endless|redir|resets|sorry|consent|error500)/;
const readable = specialVideos.filter(({ id }) => !broken.test(id)).map(({ id }) => id);

describe('shapes', () => {
  it('no player answer has a key that no real one has', async () => {
    const real = pathsIn(answerFiles.player, playerOf);
    const simulator = await startPlatformSimulator();
    const ours = new Set<string>();
    for (const id of readable) {
      for (const client of ['ANDROID', 'VISIONOS', 'WEB']) {
        const { text } = await postPlayer(simulator.origin, client, id);
        for (const path of keyPaths(JSON.parse(text))) ours.add(path);
      }
    }
    await simulator.close();
    expect([...ours].filter((path) => !real.has(path) && !reportedElsewhere.has(path))).toEqual([]);
  });

  it('no page of a search or listing has a key that no real one has', async () => {
    const { search, listing, gone, resolve } = answerFiles;
    const real = keyNames(pathsIn([...search, ...listing, ...gone, ...resolve], JSON.parse));
    const simulator = await startPlatformSimulator();
    const ask = async (path: string, body: object): Promise<unknown> => {
      const asked = { context: { client: { clientName: 'WEB' } }, ...body };
      const init = { method: 'POST', body: JSON.stringify(asked) };
      return JSON.parse((await fetchText(`${simulator.origin}/youtubei/v1/${path}`, init)).text);
    };
    const pages = await Promise.all([
      ask('search', { query: 'test', params: 'EgIQAfABAQ%3D%3D' }),
      ask('search', { query: 'test', params: 'EgIQAvABAQ%3D%3D' }),
      ask('search', { query: 'test', params: 'EgIQA_ABAQ%3D%3D' }),
      ask('browse', { browseId: `VL${MIXED_PLAYLIST_ID}` }),
      ask('navigation/resolve_url', { url: 'https://www.youtube.com/@simulated-01' }),
    ]);
    await simulator.close();
    const ours = keyNames(new Set(pages.flatMap((page) => keyPaths(page))));
    expect([...ours].filter((name) => !real.has(name) && !reportedByPeers.has(name))).toEqual([]);
  });

  it('no json3 body has a key that no real one has, and recognised speech has all of its kind', async () => {
    const real = pathsIn(answerFiles.json3, JSON.parse);
    const simulator = await startPlatformSimulator();
    const { text } = await postPlayer(simulator.origin, 'VISIONOS', 'load0000001');
    const answer: PlayerAnswer = JSON.parse(text);
    const tracks = answer.captions?.playerCaptionsTracklistRenderer.captionTracks ?? [];
    const bodies = await Promise.all(
      tracks.map(async ({ baseUrl }) =>
        JSON.parse((await fetchText(captionAddress(simulator.origin, baseUrl, 'json3'))).text),
      ),
    );
    await simulator.close();
    const ours = new Set(bodies.flatMap((body) => keyPaths(body)));
    expect([...ours].filter((path) => !real.has(path))).toEqual([]);
    expect([...real].filter((path) => !ours.has(path))).toEqual([]);
  });

  it('feeds have the elements of real ones, each with its attributes', async () => {
    const elements = (xml: string) =>
      [...xml.matchAll(/<([\w:]+)((?:\s+[\w:]+="[^"]*")*)/g)].map(
        ([, name, attributes = '']) =>
          `${name} ${[...attributes.matchAll(/([\w:]+)="/g)].map(([, key]) => key).join(' ')}`,
      );
    const real = new Set(
      answerSources.flatMap(({ body }) => answerFiles.feed.flatMap(({ name }) => elements(body(name)))),
    );
    const simulator = await startPlatformSimulator();
    const [{ text: channel }, { text: playlist }] = await Promise.all([
      fetchText(`${simulator.origin}/feeds/videos.xml?channel_id=${giantChannel.id}`),
      fetchText(`${simulator.origin}/feeds/videos.xml?playlist_id=${MIXED_PLAYLIST_ID}`),
    ]);
    await simulator.close();
    expect(new Set([...elements(channel), ...elements(playlist)])).toEqual(real);
  });
});
