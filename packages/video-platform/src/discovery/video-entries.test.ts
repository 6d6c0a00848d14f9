import { describe, expect, it } from '@jest/globals';
import { browse, CHANNEL, findItem, ID, list, section, text } from '../test-support/pages.ts';

const overlay = (badge: string) => ({
  thumbnailBottomOverlayViewModel: { badges: [{ thumbnailBadgeViewModel: { text: badge } }] },
});
const lockup = (rows: readonly object[], given: object = {}, badge = '1:05') => ({
  lockupViewModel: {
    contentId: ID,
    contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
    contentImage: { thumbnailViewModel: { image: { sources: [] }, overlays: [overlay(badge)] } },
    metadata: {
      lockupMetadataViewModel: {
        title: text('T'),
        metadata: { contentMetadataViewModel: { metadataRows: rows } },
      },
    },
    ...given,
  },
});
const parts = (...texts: readonly string[]) => ({ metadataParts: texts.map((one) => ({ text: text(one) })) });
const linked = (name: string) => ({
  metadataParts: [
    {
      text: {
        content: name,
        commandRuns: [{ onTap: { innertubeCommand: { browseEndpoint: { browseId: CHANNEL } } } }],
      },
    },
  ],
});
const status = (style: string, label: string) => [
  { thumbnailOverlayTimeStatusRenderer: { style, text: { simpleText: label } } },
];
describe('a video', () => {
  it('may be the episode of a show or a podcast', () => {
    const episode = lockup([], { contentType: 'LOCKUP_CONTENT_TYPE_EPISODE' });
    const page = list(browse(section(episode)));
    expect(page).toMatchObject({ items: [{ id: ID, title: 'T' }], omitted: 0 });
  });

  it.each<[string, object]>([
    ['of a list', { playlistVideoRenderer: { videoId: ID, title: { simpleText: 'T' }, lengthSeconds: '65' } }],
    [
      'of a search',
      {
        videoRenderer: { videoId: ID, title: { runs: [{ text: 'T' }] }, lengthText: { simpleText: '1:05' } },
      },
    ],
    [
      'of a grid',
      {
        gridVideoRenderer: {
          videoId: ID,
          title: { simpleText: 'T' },
          thumbnailOverlays: status('DEFAULT', '1:05'),
        },
      },
    ],
    [
      'of a panel',
      {
        playlistPanelVideoRenderer: {
          videoId: ID,
          title: { simpleText: 'T' },
          lengthText: { simpleText: '1:05' },
        },
      },
    ],
    ['as a lockup', lockup([])],
    ['in a cell', { richItemRenderer: { content: lockup([]) } }],
  ])('%s is the same row', (_, entry) => {
    expect(list(browse(section(entry)))?.items).toEqual([
      { id: ID, title: 'T', durationSeconds: 65, publishedAt: null, thumbnailUrl: null, isShort: null },
    ]);
  });

  it.each<[string, object]>([
    [
      'a mark',
      {
        videoRenderer: {
          videoId: ID,
          title: { simpleText: 'T' },
          thumbnailOverlays: status('SHORTS', 'SHORTS'),
        },
      },
    ],
    ['a badge', lockup([], {}, 'SHORTS')],
    ['its type', lockup([], { contentType: 'LOCKUP_CONTENT_TYPE_SHORT' }, '')],
    ['the plural of its type', lockup([], { contentType: 'LOCKUP_CONTENT_TYPE_SHORTS' }, '')],
    [
      'its lockup',
      {
        shortsLockupViewModel: {
          onTap: { innertubeCommand: { reelWatchEndpoint: { videoId: ID } } },
          overlayMetadata: { primaryText: text('T') },
        },
      },
    ],
    [
      'its lockup without an endpoint',
      {
        shortsLockupViewModel: {
          entityId: `shorts-shelf-item-${ID}`,
          overlayMetadata: { primaryText: text('T') },
        },
      },
    ],
    ['its reel', { reelItemRenderer: { videoId: ID, headline: { simpleText: 'T' } } }],
    [
      'its reel without an id',
      {
        reelItemRenderer: {
          headline: { simpleText: 'T' },
          navigationEndpoint: { reelWatchEndpoint: { videoId: ID } },
        },
      },
    ],
  ])('is a Short by %s', (_, entry) => {
    expect(list(browse(section(entry)))?.items).toMatchObject([{ id: ID, title: 'T', isShort: true }]);
  });

  it.each<[string, object, number]>([
    ['deleted', { playlistVideoRenderer: { videoId: ID, title: { simpleText: '[Deleted video]' } } }, 0],
    [
      'private, in a lockup',
      lockup([], { metadata: { lockupMetadataViewModel: { title: text('[Private video]') } } }),
      0,
    ],
    ['without any title, in a lockup', lockup([], { metadata: {} }), 0],
    ['with an empty title', lockup([], { metadata: { lockupMetadataViewModel: { title: text('') } } }), 1],
  ])('that is %s is left out, unless it can be seen', (_, entry, count) => {
    const page = list(browse(section(entry)));
    expect([page?.items.length, page?.omitted]).toEqual([count, 0]);
  });

  it.each<[string, readonly object[], unknown[]]>([
    ['everything', [parts('Harbour'), parts('1,234 views', '2 years ago')], ['Harbour', 1_234, '2 years ago']],
    ['everything in one row', [parts('3 days ago', 'No views', 'Harbour')], ['Harbour', 0, '3 days ago']],
    ['no channel, inside a channel', [parts('12K views', '3 days ago')], [null, null, '3 days ago']],
    ['short dates', [parts('Harbour'), parts('250K views', '16h ago')], ['Harbour', null, '16h ago']],
    ['a short date first', [parts('1mo ago', '1,234 views')], [null, 1_234, '1mo ago']],
    ['a short date alone', [parts('250K views', '2y ago')], [null, null, '2y ago']],
    ['a date with a point', [parts('250K views', '3 days ago.')], [null, null, '3 days ago.']],
    ['a broadcast', [parts('Harbour'), parts('1.2K watching')], ['Harbour', null, null]],
    ['what is to come', [parts('Premieres 11/27/26, 8:00 PM')], [null, null, null]],
    [
      'what was streamed',
      [parts('Harbour', 'Streamed 3 weeks ago')],
      ['Harbour', null, 'Streamed 3 weeks ago'],
    ],
    [
      'a channel with the name of a date',
      [linked('3 days ago'), parts('1 view')],
      ['3 days ago', 1, '3 days ago'],
    ],
    ['a channel behind other words', [parts('Something new'), linked('Harbour')], ['Harbour', null, null]],
    [
      'marks behind views and date, which are no channel',
      [parts('Harbour'), parts('12K views', '3 days ago'), parts('Auto-dubbed')],
      ['Harbour', null, '3 days ago'],
    ],
    [
      'such marks inside a channel, in a row of their own',
      [parts('12K views', '3 days ago'), parts('Some new mark')],
      [null, null, '3 days ago'],
    ],
    [
      'such marks beside views and date',
      [parts('12K views', '3 days ago', 'Auto-dubbed')],
      [null, null, '3 days ago'],
    ],
    ['nothing', [], [null, null, null]],
  ])('as a lockup is read by what its texts are: %s', (_, rows, [channelTitle, views, published]) => {
    expect(findItem(lockup(rows))).toMatchObject({
      channelTitle,
      viewCount: views,
      publishedText: published,
    });
  });

  it.each<[string, object, boolean]>([
    ['CC', { badgeViewModel: { badgeText: 'CC' } }, true],
    ['the label', { metadataBadgeRenderer: { accessibilityData: { label: 'Closed captions' } } }, true],
    ['4K', { badgeViewModel: { badgeText: '4K' } }, false],
  ])('as a lockup has captions by its badge: %s', (_, badge, has) => {
    expect(findItem(lockup([{ ...parts('Harbour'), badges: [badge] }]))?.hasCaptions).toBe(has);
  });
});
