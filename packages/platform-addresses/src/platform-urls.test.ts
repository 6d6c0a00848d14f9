import { expect, it } from '@jest/globals';
import { playerOrigin } from './platform-urls.ts';

it.each([
  ['https://www.youtube.com', 'https://www.youtube-nocookie.com'],
  ['https://youtube.com/', 'https://www.youtube-nocookie.com'],
  ['http://127.0.0.1:8081', 'http://127.0.0.1:8081'],
  ['https://platform.example/path; script-src *', 'https://platform.example'],
  ['https://notyoutube.com', 'https://notyoutube.com'],
])('the player of %s is at %s: an origin, and nothing else', (platform, player) =>
  expect(playerOrigin(platform)).toBe(player),
);
