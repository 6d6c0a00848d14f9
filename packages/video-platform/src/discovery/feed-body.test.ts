import { describe, expect, it } from '@jest/globals';
import { RefusedAnswer } from '../classification/refusal.ts';
import { bounds } from '../config/limits.ts';
import {
  CHANNEL_ID,
  channelFeed,
  feedEntries,
  feedEntry,
  feedVideoId,
  PLAYLIST_ID,
  playlistFeed,
} from '../test-support/feed-wire.ts';
import { readFeedBody } from './feed.ts';

const ID = 'abcdefghij0';
const entriesOf = (body: string) => readFeedBody(body, CHANNEL_ID).entries;
const titleOf = (title: string) => entriesOf(channelFeed(feedEntry({ id: ID, title })))[0]?.title;

describe('a feed', () => {
  it('of a channel has its id, and entries with the facts about each video', () => {
    expect(readFeedBody(channelFeed(feedEntry({ id: '-INabcdefg4' })), CHANNEL_ID)).toEqual({
      title: 'The channel',
      channelId: CHANNEL_ID,
      channelTitle: 'A channel',
      omitted: 0,
      entries: [
        {
          id: '-INabcdefg4',
          title: 'Title of -INabcdefg4',
          publishedAt: '2026-11-20T10:00:00.000Z',
        },
      ],
    });
  });

  it.each(['\n', '\ufeff', '\ufeff\r\n \n'])('is read behind %j', (before) => {
    expect(entriesOf(before + channelFeed(feedEntry({ id: ID })))).toHaveLength(1);
  });

  it('of a playlist has the complete id of its owner', () => {
    const { title, channelId } = readFeedBody(playlistFeed(feedEntry({ id: ID })), PLAYLIST_ID);
    expect([title, channelId]).toEqual(['The playlist', CHANNEL_ID]);
  });

  it('without entries is empty', () => {
    expect(entriesOf(channelFeed())).toEqual([]);
  });

  it('of another source is rejected', () => {
    const refused = expect.objectContaining({ refusal: expect.objectContaining({ row: 'other_feed' }) });
    const other = CHANNEL_ID.replace('UCa', 'UCb');
    expect(() => readFeedBody(channelFeed(feedEntry({ id: ID })), other)).toThrow(refused);
    expect(() => readFeedBody(playlistFeed(feedEntry({ id: ID })), 'PLother')).toThrow(refused);
  });

  it('has each video once', () => {
    const once = feedEntry({ id: ID, title: 'first' });
    const again = feedEntry({ id: ID, title: 'again' });
    const titles = entriesOf(channelFeed(once, feedEntry({ id: feedVideoId(1) }), again)).map(
      ({ title }) => title,
    );
    expect(titles).toEqual(['first', 'Title of video000001']);
  });

  it('of more than 15 entries has the newest 15, in the order of the platform', () => {
    const [first = '', ...rest] = feedEntries(16);
    const old = first.replace('2026-11-20', '2020-01-01');
    expect(entriesOf(channelFeed(old, ...rest)).map(({ id }) => id)).toEqual(
      Array.from({ length: 15 }, (_, index) => feedVideoId(index + 1)),
    );
  });

  it('leaves out and counts unreadable entries', () => {
    const nameless = '<entry><title>nameless</title></entry>';
    const { entries, omitted } = readFeedBody(channelFeed(nameless, feedEntry({ id: ID })), CHANNEL_ID);
    expect([entries.map(({ id }) => id), omitted]).toEqual([[ID], 1]);
  });

  it('without a readable entry is rejected, not empty', () => {
    expect(() => entriesOf(channelFeed('<entry><yt:videoId>x</yt:videoId></entry>'))).toThrow(RefusedAnswer);
  });

  it('takes the id from any of its places', () => {
    const entry = feedEntry({ id: ID }).replace(/<yt:videoId>.*?<\/yt:videoId>/, '');
    expect(entriesOf(channelFeed(entry))[0]?.id).toBe(ID);
  });
});

describe('a title', () => {
  it.each([
    ['A &amp; B &lt;live&gt; &quot;x&quot; &#39;y&#x27; &#128640;', 'A & B <live> "x" \'y\' 🚀'],
    ['<![CDATA[a <b> & c]]>', 'a <b> & c'],
    ['=SUM(A1) --&gt; 00:00', '=SUM(A1) --> 00:00'],
    ['  two   spaces ', '  two   spaces '],
    ['two\nlines', 'two lines'],
    ['', ''],
    ['bell\u0007 and &#7; rung', 'bell and &#7; rung'],
    ['&unknown; entity', '&unknown; entity'],
    ['שלום العربية', 'שלום العربية'],
  ])('%j is %j', (written, title) => {
    expect(titleOf(written)).toBe(title);
  });

  it('without an end is cut', () => {
    expect(titleOf('x'.repeat(100_000))).toHaveLength(bounds.line);
  });
});

const rowOf = (body: string): string => {
  try {
    readFeedBody(body, CHANNEL_ID);
  } catch (thrown) {
    return thrown instanceof RefusedAnswer ? thrown.refusal.row : 'no XML';
  }
  return 'read';
};

describe('an invalid feed', () => {
  const bomb = '<!DOCTYPE feed [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>';
  it.each([
    ['nothing', '', 'no XML'],
    ['a text', 'hello', 'no XML'],
    ['JSON', '{"feed":{}}', 'no XML'],
    ['another document', '<rss><channel/></rss>', 'not_a_feed'],
    ['a page', '<!DOCTYPE html><html></html>', 'doctype'],
    ['a feed with entities of its own', channelFeed().replace('<feed', `${bomb}<feed`), 'doctype'],
    ['a deep nest', channelFeed('<a>'.repeat(20) + '</a>'.repeat(20)), 'too_deep'],
    ['a feed of a thousand entries', channelFeed(...feedEntries(1_000)), 'too_many_entries'],
    ['a feed of tags', channelFeed('<a/>'.repeat(40_000)), 'too_dense'],
    ['heaps of attributes', channelFeed(`<a ${'b="" '.repeat(40)}/>`), 'too_many_attributes'],
    ['thousands of forbidden characters', channelFeed('&#1;'.repeat(2_000)), 'no XML'],
    ['two feeds', `${channelFeed()}<feed/>`, 'no XML'],
  ])('is rejected: %s', (_, body, row) => {
    expect(rowOf(body)).toBe(row);
  });

  it('cut off anywhere is never read', () => {
    const body = channelFeed(...feedEntries(2));
    for (let length = 0; length < body.length; length += 1)
      expect(rowOf(body.slice(0, length))).not.toBe('read');
  });
});
