import { describe, expect, it } from '@jest/globals';
import { createQueryReader } from './front-door.ts';

describe('parsing a query string', () => {
  it('returns the same object for the same query, so that it is validated once', () => {
    const read = createQueryReader();
    expect(read('/v1/video?video_id=a')).toBe(read('/v1/transcript?video_id=a'));
    expect(read('/v1/video')).toBeNull();
  });

  it('does not cache the query of a long address', () => {
    const read = createQueryReader();
    const long = `/${'a'.repeat(15_000)}?x=1`;
    expect(read(long)).toEqual(read(long));
    expect(read(long)).not.toBe(read(long));
  });
});
