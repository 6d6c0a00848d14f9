import { expect, it } from '@jest/globals';
import { RefusedAnswer } from '../classification/refusal.ts';
import { mutantsOf } from '../test-support/mutate.ts';
import { describeWithRecordings, recording } from '../test-support/recordings.ts';
import { readListItems, readVideos } from './data-api/read-items.ts';
import { readListing } from './reading/read-listing.ts';
import { readResolved } from './reading/read-resolved.ts';
import { readSearch } from './reading/read-search.ts';
import { type SearchType, searchTypes } from './types.ts';

const bodyOf = (name: string): string =>
  JSON.parse(recording(`newpipe-extractor/${name}.json`)).response.responseBody;
const expected = (name: string) => JSON.parse(recording(`newpipe-extractor/expected/${name}.json`));

const searches = ['all.2', 'all.3', 'channel.2', 'crisisresources.2', 'playlists.2'];
const lists = ['channeltab-videos.3', 'playlist-continuationss.3', 'playlist-continuationss.4'];

type Expected = Readonly<Record<string, unknown>>;
const idOf = (item: Expected): unknown => item.video_id ?? item.channel_id ?? item.id;
const ofType = (items: readonly Expected[], type: SearchType) =>
  items.filter((item) => item.type === type && (type === 'channel' || idOf(item) !== undefined));

describeWithRecordings('recorded searches', () => {
  it.each(searches.flatMap((name) => searchTypes.map((type) => [name, type] as const)))(
    '%s: an independent reader found the same %ss in the same order',
    (name, type) => {
      const { items } = readSearch(bodyOf(`search/${name}`), type);
      const wanted = ofType(expected(`search/${name}`).items, type);
      expect(items.map(({ id, title }) => [id, title])).toEqual(
        wanted.map((item) => [idOf(item), item.title]),
      );
      if (type !== 'video') return;
      expect(items.map((item) => [item.durationSeconds, item.viewCount, item.publishedText])).toEqual(
        wanted.map((item) => [item.duration_seconds, item.view_count, item.published_text]),
      );
      expect(items.map(({ hasCaptions }) => hasCaptions)).toEqual(wanted.map((item) => item.has_captions));
      expect(items.map(({ channelTitle }) => channelTitle)).toEqual(wanted.map((item) => item.channel_title));
    },
  );

  it.each(searches)('%s: the token is of the page and fits what a client may send', (name) => {
    expect(readSearch(bodyOf(`search/${name}`), 'video').next).toMatch(/^[A-Za-z0-9_%+=/-]{1,2048}$/);
  });
});

describeWithRecordings('recorded listings', () => {
  it.each(lists)('%s: an independent reader found the same videos', (name) => {
    const wanted = expected(`browse/${name}`);
    const { items, next, omitted } = readListing(bodyOf(`browse/${name}`));
    expect(items.map(({ id, title }) => [id, title])).toEqual(
      wanted.items.map((item: Expected) => [item.id, item.title]),
    );
    expect(omitted).toBe(0);
    expect(next !== null).toBe(wanted.has_next);
  });

  it.each(['channel-notavailable.4', 'playlist-notavailable.3'])('%s: the source is gone', (name) => {
    expect(() => readListing(bodyOf(`browse/${name}`))).toThrow(
      expect.objectContaining({ refusal: expect.objectContaining({ row: 'error_alert' }) }),
    );
  });

  it('resolves a handle', () => {
    expect(readResolved(bodyOf('resolve/channelhelper.2'))).toEqual({
      channelId: 'UCwWhs_6x42TyRM4Wstoq8HA',
    });
  });

  it('the Data API’s pages hold 10 and 3 videos, and only the first has a token', () => {
    const first = readListItems(recording('data-api/py-playlistItems.p1.json'));
    const second = readListItems(recording('data-api/py-playlistItems.p2.json'));
    expect([first.items.length, first.next, first.items[0]?.id]).toEqual([10, 'CAoQAA', 'CvTApw9X8aA']);
    expect([second.items.length, second.next]).toEqual([3, null]);
  });

  it('a duration that was not asked for stays unknown', () => {
    const videos = readVideos(recording('data-api/py-videos.multi.json'));
    expect(videos.map(({ id, durationSeconds }) => [id, durationSeconds])).toEqual([
      ['D-lhorsDlUQ', null],
      [expect.any(String), null],
    ]);
  });
});

/** An answer that was spoilt is read as far as it goes, refused, or no JSON; never anything else. */
const outcomeOf = (read: () => { items: readonly { id: string }[] }): string => {
  try {
    return read().items.every(({ id }) => /^[\w-]{2,100}$/.test(id)) ? 'read' : 'a malformed id';
  } catch (thrown) {
    if (thrown instanceof RefusedAnswer) return 'refused';
    return thrown instanceof SyntaxError ? 'no JSON' : String(thrown);
  }
};

const SKIPPED = new Set([
  'menu',
  'responseContext',
  'trackingParams',
  'clickTrackingParams',
  'header',
  'topbar',
]);
/** The same without what no reader looks at, and with the first entries only: otherwise the mutants are too many. */
const essential = (body: string): string =>
  JSON.stringify(JSON.parse(body), (key, value) => {
    if (SKIPPED.has(key)) return undefined;
    return Array.isArray(value) && (key === 'contents' || key === 'continuationItems')
      ? [...value.slice(0, 2), ...value.slice(-1)]
      : value;
  });

describeWithRecordings('spoilt answers', () => {
  it.each([...searches.map((name) => `search/${name}`), ...lists.map((name) => `browse/${name}`)])(
    '%s: every mutation is read in part or refused',
    (name) => {
      const read = (body: string) =>
        name.startsWith('search') ? readSearch(body, 'video') : readListing(body);
      const outcomes = new Set<string>();
      for (const mutant of mutantsOf(essential(bodyOf(name))))
        outcomes.add(outcomeOf(() => read(mutant.body)));
      expect([...outcomes].toSorted()).toEqual(['no JSON', 'read', 'refused']);
    },
  );
});
