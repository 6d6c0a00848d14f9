import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FaultName } from '../faults/fault.ts';
import { type PlatformSimulator, startPlatformSimulator } from '../start-platform-simulator.ts';
import { askToken, fetchText, readPlayer, trackList } from '../test-support/platform-client.ts';

const GATED = 'tokenXpe_01';

describe('the provider of tokens', () => {
  let simulator: PlatformSimulator;
  beforeEach(async () => {
    simulator = await startPlatformSimulator();
  });
  afterEach(() => simulator.close());

  const captionsWith = async (token: string): Promise<string> => {
    const [track] = trackList(await readPlayer(simulator.origin, 'ANDROID', GATED)).captionTracks;
    return (await fetchText(`${track!.baseUrl}&pot=${encodeURIComponent(token)}`)).text;
  };

  it('gives a new token each time, bound to the video and dated', async () => {
    const [first, second] = [await askToken(simulator.origin, GATED), await askToken(simulator.origin, GATED)];
    expect(first.poToken).not.toBe(second.poToken);
    expect(first.contentBinding).toBe(GATED);
    expect(Date.parse(first.expiresAt)).toBeGreaterThan(Date.now());
    for (const { poToken } of [first, second]) expect(await captionsWith(poToken)).toContain('<timedtext');
  });

  it("captions stay empty with another video's token", async () => {
    const { poToken } = await askToken(simulator.origin, 'manualEn001');
    expect(await captionsWith(poToken)).toBe('');
  });

  it.each<[FaultName, object]>([
    ['wrong_video', { contentBinding: 'load0000001' }],
    ['refused_token', { contentBinding: GATED }],
  ])('gives a useless token under %s', async (fault, expected) => {
    simulator.faults.add({ match: { endpoint: 'get_pot' }, fault });
    const answer = await askToken(simulator.origin, GATED);
    expect(answer).toMatchObject(expected);
    expect(await captionsWith(answer.poToken)).toBe('');
  });

  it('answers a ping, and refuses a request without a binding', async () => {
    expect(JSON.parse((await fetchText(`${simulator.origin}/ping`)).text)).toHaveProperty('version');
    expect((await fetchText(`${simulator.origin}/get_pot`, { method: 'POST', body: '{}' })).status).toBe(400);
  });
});
