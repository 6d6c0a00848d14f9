import { describe, expect, it } from '@jest/globals';
import { type Answers, answerFiles, answerSources } from '@tds/simulators/platform/answers';
import { RefusedAnswer } from '../classification/refusal.ts';
import { refuseXml } from '../reading/xml.ts';
import { generateMutants } from '../test-support/mutate.ts';
import { readResolved } from './create-discovery.ts';
import { readListItems, readVideos } from './data-api-items.ts';
import { readFeedBody } from './feed.ts';
import { readListing } from './listing.ts';
import { readSearch } from './search.ts';
import { type SearchType, searchTypes } from './types.ts';

const namesOf = (files: readonly { readonly name: string }[]) => files.map(({ name }) => name);
const searches = namesOf(answerFiles.search);
const lists = namesOf(answerFiles.listing);

type Expected = Readonly<Record<string, unknown>>;
const idOf = (item: Expected): unknown => item.video_id ?? item.channel_id ?? item.id;
const ofType = (items: readonly Expected[], type: SearchType) =>
  items.filter((item) => item.type === type && (type === 'channel' || idOf(item) !== undefined));

describe.each(answerSources)('searches, $name', (answers) => {
  it.each(searches.flatMap((name) => searchTypes.map((type) => [name, type] as const)))(
    '%s: an independent reader finds the same %ss in the same order',
    (name, type) => {
      const { items } = readSearch(answers.body(name), type);
      const wanted = ofType(answers.reading(name).items, type);
      expect(items.map(({ id, title }) => [id, title])).toEqual(wanted.map((item) => [idOf(item), item.title]));
      if (type !== 'video') return;
      expect(items.map((item) => [item.durationSeconds, item.viewCount, item.publishedText])).toEqual(
        wanted.map((item) => [item.duration_seconds, item.view_count, item.published_text]),
      );
      expect(items.map(({ hasCaptions }) => hasCaptions)).toEqual(wanted.map((item) => item.has_captions));
      expect(items.map(({ channelTitle }) => channelTitle)).toEqual(wanted.map((item) => item.channel_title));
    },
  );

  it.each(searches)('%s: the token belongs to the page and fits the limit for clients', (name) => {
    expect(answers.reading(name).items.length).toBeGreaterThan(2);
    expect(readSearch(answers.body(name), 'video').next).toMatch(/^[A-Za-z0-9_%+=/-]{1,2048}$/);
  });
});

describe.each(answerSources)('listings, $name', (answers) => {
  it.each(lists)('%s: an independent reader finds the same videos', (name) => {
    const wanted = answers.reading(name);
    const page = readListing(answers.body(name));
    expect(page?.items.map(({ id, title }) => [id, title])).toEqual(
      wanted.items.map((item: Expected) => [item.id, item.title]),
    );
    expect(page?.omitted).toBe(0);
    expect(page?.next !== null).toBe(wanted.has_next);
  });

  it.each(namesOf(answerFiles.gone))('%s: the source is gone', (name) => {
    expect(() => readListing(answers.body(name))).toThrow(
      expect.objectContaining({ refusal: expect.objectContaining({ row: 'error_alert' }) }),
    );
  });

  it.each(namesOf(answerFiles.resolve))('%s resolves a handle', (file) => {
    expect(readResolved(answers.body(file))).toEqual({ channelId: answers.reading(file).channel_id });
  });

  it.each(['data-api/first-page', 'data-api/last-page'])(
    '%s: the Data API’s page has its videos and its token',
    (file) => {
      const page = JSON.parse(answers.body(file));
      const { items, next, omitted } = readListItems(answers.body(file));
      const ids = page.items.map(
        (item: { snippet: { resourceId: { videoId: string } } }) => item.snippet.resourceId.videoId,
      );
      expect([items.map(({ id }) => id), next, omitted]).toEqual([ids, page.nextPageToken ?? null, 0]);
      expect(next === null).toBe(file === 'data-api/last-page');
    },
  );

  it('a duration that was not requested stays unknown', () => {
    const videos = readVideos(answers.body('data-api/videos'));
    expect(videos.map(({ durationSeconds }) => durationSeconds)).toEqual([null, null]);
  });
});

const feedFiles = namesOf(answerFiles.feed);
const iso = (date: unknown): string => new Date(String(date)).toISOString();
const feedOf = (answers: Answers, file: string) => {
  const wanted = answers.reading(file);
  const channelId = `UC${wanted.channel_id_raw.replace(/^UC/, '')}`;
  return { wanted, channelId, sourceId: wanted.playlist_id ?? channelId, body: answers.body(file) };
};

describe.each(answerSources)('feeds, $name', (answers) => {
  it.each(feedFiles)('%s: an independent reader finds the same videos', (file) => {
    const { wanted, channelId, sourceId, body } = feedOf(answers, file);
    const feed = readFeedBody(body, sourceId);
    expect(feed).toMatchObject({ title: wanted.title, channelTitle: wanted.author, channelId, omitted: 0 });
    expect(feed.entries).toEqual(
      wanted.entries.map(({ video_id: id, title, published }: Expected) => ({
        ...{ id, title, publishedAt: iso(published) },
      })),
    );
  });

  it.each(feedFiles)('%s cut off anywhere is never a feed', (file) => {
    const { sourceId, body } = feedOf(answers, file);
    const whole = body.trimEnd();
    for (let length = 0; length < whole.length; length += 101) {
      expect(() => readFeedBody(whole.slice(0, length), sourceId)).toThrow();
    }
  });
});

/** A spoilt answer is read in part, refused, or no JSON; nothing else. */
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
/** The answer without parts that no reader uses, and with its first entries only, to limit the mutants. */
const essential = (body: string): string =>
  JSON.stringify(JSON.parse(body), (key, value) => {
    if (SKIPPED.has(key)) return undefined;
    return Array.isArray(value) && (key === 'contents' || key === 'continuationItems')
      ? [...value.slice(0, 2), ...value.slice(-1)]
      : value;
  });

describe.each(answerSources)('spoilt answers, $name', (answers) => {
  it.each([...searches, ...lists])('%s: every mutation is read in part or refused', (name) => {
    const read = (body: string) =>
      name.startsWith('search/') ? readSearch(body, 'video') : (readListing(body) ?? refuseXml('no_list'));
    const outcomes = new Set<string>();
    for (const mutant of generateMutants(essential(answers.body(name))))
      outcomes.add(outcomeOf(() => read(mutant.body)));
    expect([...outcomes].toSorted()).toEqual(['no JSON', 'read', 'refused']);
  });
});
