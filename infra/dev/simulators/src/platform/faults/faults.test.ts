import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type PlatformSimulator, startPlatformSimulator } from '../start-platform-simulator.ts';
import { conclude } from '../test-support/conclude.ts';
import { fetchText, postPlayer, readPlayer, trackList } from '../test-support/platform-client.ts';
import type { FaultName } from './fault.ts';

const VIDEO = 'load0000001';

describe('faults on demand', () => {
  let simulator: PlatformSimulator;
  beforeEach(async () => {
    simulator = await startPlatformSimulator();
  });
  afterEach(() => simulator.close());

  const outcome = (client = 'ANDROID', id = VIDEO) => conclude(simulator.origin, client, id);
  const control = (name: string, ...list: unknown[]) =>
    fetchText(`${simulator.origin}/__simulator/${name}`, { method: 'POST', body: JSON.stringify(list) });

  /** One of each kind. What a reader makes of each, packages/video-platform tests by the special video that has it. */
  it.each<[FaultName, string]>([
    ['block', 'IpBlocked'],
    ['translation_too_many_requests', 'Transcript'],
    ['token_required', 'PoTokenRequired'],
    ['reset', 'UpstreamError'],
  ])('%s makes a reader conclude %s until it is cleared', async (fault, expected) => {
    simulator.faults.add({ fault });
    expect(await outcome()).toBe(expected);
    simulator.faults.clear();
    expect(await outcome()).toBe('Transcript');
  });

  it('hit the named video, client and endpoint alone', async () => {
    simulator.faults.add({
      match: { videoId: VIDEO, client: 'ANDROID', endpoint: 'player' },
      fault: 'server_error',
    });
    expect(await outcome('VISIONOS')).toBe('Transcript');
    expect(await outcome('ANDROID', 'load0000002')).toBe('Transcript');
    expect((await fetchText(`${simulator.origin}/watch?v=${VIDEO}`)).status).toBe(200);
    expect(await outcome('ANDROID')).toBe('UpstreamError');
  });

  it('aimed at a client hit the caption requests of that client', async () => {
    simulator.faults.add({ match: { client: 'ANDROID', endpoint: 'timedtext' }, fault: 'empty' });
    expect(await outcome('ANDROID')).toBe('PoTokenRequired');
    expect(await outcome('VISIONOS')).toBe('Transcript');
  });

  it('with times hit that many requests and are gone', async () => {
    simulator.faults.add({ match: { endpoint: 'player' }, fault: 'block', times: 2 });
    expect([await outcome(), await outcome(), await outcome()]).toEqual([
      'IpBlocked',
      'IpBlocked',
      'Transcript',
    ]);
    expect(simulator.faults.list()).toEqual([]);
  });

  it('with latency answer later', async () => {
    simulator.faults.add({ match: { endpoint: 'player' }, fault: 'slow', latencyMs: 150 });
    const startedAt = Date.now();
    expect(await outcome()).toBe('Transcript');
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(140);
  });

  it('on translations leave native tracks alone', async () => {
    simulator.faults.add({ fault: 'translation_too_many_requests' });
    const [track] = trackList(await readPlayer(simulator.origin, 'ANDROID', VIDEO)).captionTracks;
    expect((await fetchText(`${track!.baseUrl}&tlang=fr`)).status).toBe(429);
    expect((await fetchText(track!.baseUrl)).status).toBe(200);
  });

  it('can be added, listed and removed over HTTP', async () => {
    const added = await control('addFault', { match: { videoId: VIDEO }, fault: 'block', times: 3 });
    expect(added.status).toBe(200);
    expect(await outcome()).toBe('IpBlocked');
    const id = JSON.parse(added.text).result;
    const listed = JSON.parse((await control('listFaults')).text).result;
    expect(listed).toEqual([{ id, match: { videoId: VIDEO }, fault: 'block', times: 3, hitCount: 1 }]);
    expect(JSON.parse((await control('removeFault', id)).text)).toEqual({ result: true });
    expect(await outcome()).toBe('Transcript');
    expect(JSON.parse((await control('removeFault', id)).text)).toEqual({ result: false });
    expect((await control('clearFaults')).status).toBe(200);
  });

  it('are refused when malformed', async () => {
    expect((await control('addFault', { fault: 'sunshine' })).status).toBe(400);
    expect((await control('addFault', { match: { video: VIDEO }, fault: 'block' })).status).toBe(400);
    expect((await control('nothing')).status).toBe(404);
  });

  it('the base latency can be set over HTTP', async () => {
    await control('setLatency', 120);
    const startedAt = Date.now();
    await postPlayer(simulator.origin, 'ANDROID', VIDEO);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(110);
  });

  it('requests are counted by endpoint, client and video, and reset', async () => {
    await outcome();
    await fetchText(`${simulator.origin}/watch?v=${VIDEO}`);
    const expected = {
      total: 3,
      byEndpoint: { player: 1, timedtext: 1, watch: 1 },
      byClient: { ANDROID: { player: 1, timedtext: 1 }, WEB: { watch: 1 } },
      bySource: {},
      byVideo: { [VIDEO]: { player: 1, timedtext: 1, watch: 1 } },
    };
    expect(JSON.parse((await control('requests')).text)).toEqual({ result: expected });
    expect(simulator.requests()).toEqual(expected);
    await control('resetRequests');
    expect(simulator.requests()).toMatchObject({ total: 0, byVideo: {} });
  });
});
