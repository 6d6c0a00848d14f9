import { describe, expect, it } from '@jest/globals';
import { commandMessage, LISTENING, playerAddress, pressedAction, readReport } from './player.ts';

describe('the address of the player', () => {
  const addressAt = (at: number | null, video = 'manualEn001') =>
    new URL(playerAddress('https://player.example', video, 'https://site.example', at));

  it('names the page that it may report to, and where it begins', () => {
    expect(Object.fromEntries(addressAt(31).searchParams)).toEqual({
      enablejsapi: '1',
      origin: 'https://site.example',
      playsinline: '1',
      rel: '0',
      start: '31',
    });
    expect(addressAt(null).searchParams.has('start')).toBe(false);
  });

  it('stays at its path, whatever the page was opened with', () => {
    expect(addressAt(0, '../watch?v=x#').pathname).toBe('/embed/..%2Fwatch%3Fv%3Dx%23');
  });
});

it('messages to the player have the form of its own script', () => {
  expect(JSON.parse(LISTENING)).toEqual({ event: 'listening', id: 1, channel: 'widget' });
  expect(JSON.parse(commandMessage('seekTo', [31, true]))).toEqual({
    event: 'command',
    func: 'seekTo',
    args: [31, true],
    id: 1,
    channel: 'widget',
  });
});

describe('a message to the page', () => {
  const read = (message: unknown) => readReport(JSON.stringify(message));

  it.each([
    [
      { event: 'infoDelivery', info: { currentTime: 12.4, playerState: 1 } },
      { seconds: 12.4, isPlaying: true },
    ],
    [{ event: 'infoDelivery', info: { playerState: 3 } }, { isPlaying: true }],
    [
      { event: 'initialDelivery', info: { currentTime: 0, playerState: 2 } },
      { seconds: 0, isPlaying: false },
    ],
    [{ event: 'infoDelivery', info: { currentTime: '12', playerState: null } }, {}],
    [{ event: 'onReady', info: null }, {}],
  ])('%j says %j', (message, report) => expect(read(message)).toEqual(report));

  it.each(['', '{', 'null', '7', '{}', '{"event":7}', '[]'])('%j is no report', (text) =>
    expect(readReport(text)).toBeNull(),
  );

  it.each([undefined, null, { event: 'infoDelivery' }, 7])('that is no text is no report: %j', (data) =>
    expect(readReport(data)).toBeNull(),
  );
});

describe('a key', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

  it.each([
    [' ', 'toggle'],
    ['k', 'toggle'],
    ['K', 'toggle'],
    ['j', 'back'],
    ['ArrowLeft', 'back'],
    ['ArrowRight', null],
    ['Enter', null],
  ])('%j does %s', (key, action) => expect(pressedAction({ ...plain, key })).toBe(action));

  it.each(['ctrlKey', 'metaKey', 'altKey', 'shiftKey'])('with %s stays the browser`s', (modifier) =>
    expect(pressedAction({ ...plain, key: 'ArrowLeft', [modifier]: true })).toBeNull(),
  );
});
