import { describe, expect, it } from '@jest/globals';
import { videoDetails } from '@tds/contracts';
import { playable, VIDEO_ID } from '../test-support/wire.ts';
import { readPlayer } from './read-player.ts';

const read = (details: object) =>
  readPlayer(playable([], [], { videoDetails: { videoId: VIDEO_ID, ...details } }), VIDEO_ID, new Date()).video;
const pictures = (...thumbnails: readonly object[]) => read({ thumbnail: { thumbnails } }).thumbnail_url;

const UNKNOWN = { description: null, tags: null, view_count: null, thumbnail_url: null, chapters: null };

describe('the facts of a video', () => {
  it('come from the details of the answer', () => {
    const shortDescription = 'About cranes.\r\n\r\n0:00 One\n1:00 Two\n2:00 Three\u0000';
    const thumbnail = { thumbnails: [{ url: 'https://i.ytimg.com/vi/x/default.jpg', width: 120 }] };
    const details = { lengthSeconds: '200', shortDescription, viewCount: '14000000000', thumbnail };
    expect(read({ ...details, keywords: ['harbour', ' two  words\n', ''] })).toMatchObject({
      description: 'About cranes.\n\n0:00 One\n1:00 Two\n2:00 Three',
      tags: ['harbour', 'two words'],
      view_count: 14_000_000_000,
      thumbnail_url: 'https://i.ytimg.com/vi/x/default.jpg',
      chapters: [
        { start: 0, title: 'One' },
        { start: 60, title: 'Two' },
        { start: 120, title: 'Three' },
      ],
    });
  });

  it('are unknown if they are missing or of another type', () => {
    expect(read({})).toMatchObject(UNKNOWN);
    const odd = { shortDescription: 7, keywords: 'harbour', viewCount: '1.2K', thumbnail: [{}] };
    expect(read(odd)).toMatchObject(UNKNOWN);
    expect(read({ shortDescription: '' })).toMatchObject({ ...UNKNOWN, description: '' });
  });

  it('are cut to what fits into every message', () => {
    const video = read({
      shortDescription: '\u{1F600}'.repeat(1_000_000),
      keywords: Array.from({ length: 10_000 }, () => 'x'.repeat(10_000)),
      viewCount: '9'.repeat(400),
      thumbnail: { thumbnails: [{ url: `https://i.ytimg.com/${'x'.repeat(10_000)}`, width: 1 }] },
    });
    expect(video.description).toHaveLength(5_000);
    expect(video.tags).toHaveLength(50);
    expect(video.tags?.[0]).toHaveLength(100);
    expect([video.view_count, video.thumbnail_url]).toEqual([null, null]);
    expect(videoDetails.parse(video)).toEqual(video);
  });
});

describe('the picture of a video', () => {
  const image = (name: string, width?: number) => ({ url: `https://i.ytimg.com/vi/x/${name}.jpg`, width });

  it('is the widest one', () => {
    expect(pictures(image('a', 120), image('b', 640), image('c', 320), image('d'))).toMatch(/b\.jpg$/);
  });

  it.each([
    ['another host', 'https://ytimg.com.example.org/x.jpg'],
    ['a host that ends alike', 'https://evilytimg.com/x.jpg'],
    ['plain http', 'http://i.ytimg.com/x.jpg'],
    ['a port', 'https://i.ytimg.com:8443/x.jpg'],
    ['a script', 'javascript:alert(1)'],
    ['no address', 'https://'],
  ])('is never an address with %s', (_, url) => {
    expect(pictures({ url, width: 9_999 })).toBeNull();
    expect(pictures({ url, width: 9_999 }, image('good', 1))).toMatch(/good\.jpg$/);
  });
});
