import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter } from '@tds/jest';
import fc from 'fast-check';
import { parsePlatformAddress } from './links.ts';

const steps = createStepCounter<string>(new URL('test-support/works.ts', import.meta.url));
afterAll(steps.stop);

const ID = 'dQw4w9WgXcQ';

describe('parsePlatformAddress', () => {
  it('never throws, and never finds an id or a name of another form', () => {
    const pieces = fc.constantFrom(
      'https://',
      'channel/',
      'list=',
      'UCabcdefghijklmnopqrstuv',
      'youtube.com',
      'youtu.be',
      '/',
      '?v=',
      '&amp;',
      '%',
      '#',
      '@',
      ID,
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }), (parts) => {
        const found = parsePlatformAddress(parts.join(''));
        if (found?.kind === 'video') expect(found.id).toMatch(/^[A-Za-z0-9_-]{11}$/);
        if (found?.kind === 'channel') expect(found.id).toMatch(/^UC[A-Za-z0-9_-]{22}$/);
        if (found?.kind === 'playlist') expect(found.id).toMatch(/^[A-Za-z0-9_-]{2,100}$/);
        if (found?.kind === 'channel_name') expect(found.name).toMatch(/^(?:c\/|user\/)?[^\s/?#]{1,101}$/);
      }),
    );
  });

  it.each([
    ['<'],
    ['/', 'https://youtu.be/'],
    ['&amp;'],
    ['%3d'],
    ['.', 'https://youtu.be/x'],
    [' "', '', 'x'],
    ['\\', 'https://youtube.com/watch'],
    ['urldefense.com/v3/__'],
    ['{\\', 'https://youtube.com/@'],
    ['aHR0cHM6Ly'],
    ['youtube.com/redirect?q=', 'https://'],
    ['\u0301', '@e'],
  ])('reads %j, repeated, in linear time', async (piece, before = '', after = '') => {
    const textOf = (length: number) =>
      before + piece.repeat((length - before.length - 1) / piece.length) + after;
    const few = await steps.count('address', textOf(256));
    // Eight times the text; in square time it would be 64 times as many.
    expect(await steps.count('address', textOf(2_048))).toBeLessThan(few * 12);
  });
});
