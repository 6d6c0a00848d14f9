import { describe, expect, it } from '@jest/globals';
import { defaultLimits } from '../config/limits.ts';
import { defaultStrategies, type Strategy } from '../config/strategies.ts';
import { playerRequest } from './ask-player.ts';

const named = (name: string): Strategy => {
  const found = defaultStrategies.find((row) => row.name === name);
  if (found === undefined) throw new Error(`no row ${name}`);
  return found;
};
const request = (strategy: Strategy, parts: Parameters<typeof playerRequest>[3] = {}) =>
  playerRequest(strategy, 'abcdefghij0', defaultLimits, parts);

describe('playerRequest', () => {
  it('names the client in body and headers and pins English', () => {
    const { method, path, headers, body } = request(named('android'));
    expect({ method, path }).toEqual({
      method: 'POST',
      path: expect.stringMatching(/^\/youtubei\/v1\/player\?prettyPrint=false&\$fields=.*captions/),
    });
    expect(headers).toMatchObject({ 'x-youtube-client-name': '3', 'content-type': 'application/json' });
    expect(JSON.parse(body ?? '')).toMatchObject({
      context: { client: { clientName: 'ANDROID', hl: 'en', gl: 'US' } },
      videoId: 'abcdefghij0',
      contentCheckOk: true,
      racyCheckOk: true,
    });
  });

  it('wraps the request for the Shorts call', () => {
    const { path, body } = request({ ...named('android'), endpoint: 'reel' });
    expect(path).toContain('/youtubei/v1/reel/reel_item_watch?');
    expect(JSON.parse(body ?? '')).toMatchObject({
      playerRequest: { videoId: 'abcdefghij0' },
      disablePlayerResponse: false,
    });
  });

  it('requests the page without a body', () => {
    expect(request(named('watch_page'))).toMatchObject({
      method: 'GET',
      path: expect.stringContaining('/watch?v=abcdefghij0&hl=en'),
    });
  });

  it('limits an answer to some fields', () => {
    const { path } = request(named('web'), { fields: 'videoDetails,microformat' });
    expect(path).toBe('/youtubei/v1/player?prettyPrint=false&$fields=videoDetails,microformat');
  });

  it('adds a token if the strategy needs one', () => {
    const { body } = request({ ...named('web'), needs: 'po_token' }, { poToken: 'secret' });
    expect(JSON.parse(body ?? '')).toMatchObject({ serviceIntegrityDimensions: { poToken: 'secret' } });
  });
});
