import { describe, expect, it } from '@jest/globals';
import { jobKeyOf, publicId, storedId, toNewVideosId } from './ids.ts';

const UUID = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const PUBLIC = '0190a1b2c3d47e5f8a9b0c1d2e3f4a5b';

describe('the id of a monitor', () => {
  it('is its UUID without dashes, and leads back to it', () => {
    expect(publicId(UUID)).toBe(PUBLIC);
    expect(storedId(publicId(UUID))).toBe(UUID);
  });

  it.each([
    ['is empty', ''],
    ['is too short', PUBLIC.slice(1)],
    ['is too long', `${PUBLIC}0`],
    ['has dashes', UUID],
    ['has capital letters', PUBLIC.toUpperCase()],
    ['has other letters', `g${PUBLIC.slice(1)}`],
  ])('is no stored id if it %s', (_, text) => {
    expect(storedId(text)).toBeNull();
  });
});

describe('the key of a batch', () => {
  it('is the same for the same monitor and videos, so that a repeated request creates no second job', () => {
    expect(jobKeyOf(PUBLIC, ['a', 'b'])).toBe(jobKeyOf(PUBLIC, ['a', 'b']));
    expect(jobKeyOf(PUBLIC, ['a', 'b'])).toMatch(new RegExp(`^monitor:${PUBLIC}:[0-9a-f]{32}$`));
  });

  it('differs for other monitors, other videos and another order', () => {
    const keys = [
      jobKeyOf(PUBLIC, ['a', 'b']),
      jobKeyOf('f'.repeat(32), ['a', 'b']),
      jobKeyOf(PUBLIC, ['a', 'c']),
      jobKeyOf(PUBLIC, ['b', 'a']),
      jobKeyOf(PUBLIC, ['a']),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the id of new videos', () => {
  it('is a UUID of version 8, the same for the same monitor and videos', () => {
    const id = toNewVideosId(PUBLIC, ['a', 'b']);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(toNewVideosId(PUBLIC, ['a', 'b'])).toBe(id);
  });

  it('differs for other monitors and other videos', () => {
    const ids = [
      toNewVideosId(PUBLIC, ['a']),
      toNewVideosId('f'.repeat(32), ['a']),
      toNewVideosId(PUBLIC, ['b']),
    ];
    expect(new Set(ids).size).toBe(3);
  });
});
