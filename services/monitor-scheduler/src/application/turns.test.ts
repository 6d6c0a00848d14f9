import { describe, expect, it } from '@jest/globals';
import { sourceFields, toNewVideo } from './turns.ts';

describe('a new video in an event', () => {
  it('has the day of its publication', () => {
    const video = { id: 'dQw4w9WgXcQ', title: 'A title', publishedAt: '2026-01-15T23:59:59.000Z' };
    expect(toNewVideo(video)).toEqual({
      video_id: 'dQw4w9WgXcQ',
      title: 'A title',
      published_at: '2026-01-15',
    });
  });

  it('has no date if the platform has none', () => {
    expect(toNewVideo({ id: 'a', title: null, publishedAt: null })).toEqual({
      video_id: 'a',
      title: null,
      published_at: null,
    });
  });
});

describe('the source in an event', () => {
  it('is the channel or the playlist of the monitor, never both', () => {
    expect(sourceFields({ kind: 'channel', sourceId: 'UC1' })).toEqual({ channel: 'UC1', playlist: null });
    expect(sourceFields({ kind: 'playlist', sourceId: 'PL1' })).toEqual({ channel: null, playlist: 'PL1' });
  });
});
