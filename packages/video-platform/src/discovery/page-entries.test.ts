import { describe, expect, it } from '@jest/globals';
import { browse, CHANNEL, ID, list, playlist, section, video } from '../test-support/pages.ts';
import { readSearch } from './search.ts';

const unknown = { futureVideoViewModel: { videoId: ID } };
const row = (error: string) => expect.objectContaining({ refusal: expect.objectContaining({ row: error }) });

const command = { continuationCommand: { token: 'next' } };
const renderer = (endpoint: object) => ({ continuationItemRenderer: { continuationEndpoint: endpoint } });
const model = (inner: object) => ({ continuationItemViewModel: inner });
const executor = (...commands: readonly object[]) => renderer({ commandExecutorCommand: { commands } });
const button = renderer({ button: { buttonRenderer: { command } } });

describe('the token of the next page', () => {
  it.each<[string, object]>([
    ['in its list', browse(playlist([video(), renderer(command)]))],
    ['among commands', browse(playlist([video(), executor({}, command)]))],
    [
      'in a view model',
      browse(playlist([video(), model({ continuationCommand: { innertubeCommand: command } })])),
    ],
    ['directly in a view model', browse(playlist([video(), model(command)]))],
    ['below a button', browse(playlist([video(), button]))],
    ['beside its section', browse(section(video()), renderer(command))],
    [
      'beside the entries, in the oldest layout',
      browse(playlist([video()], { continuations: [{ nextContinuationData: { continuation: 'next' } }] })),
    ],
    [
      'in an inner list before an outer one',
      browse(
        playlist([video(), renderer(command)]),
        renderer({ continuationCommand: { token: 'suggestions' } }),
      ),
    ],
    [
      'of a continuation',
      {
        onResponseReceivedActions: [
          { appendContinuationItemsAction: { continuationItems: [video(), renderer(command)] } },
        ],
      },
    ],
    [
      'of an endpoint',
      {
        onResponseReceivedEndpoints: [{ futureAction: { continuationItems: [video(), renderer(command)] } }],
      },
    ],
    [
      'of a continuation in the oldest layout',
      {
        continuationContents: {
          playlistVideoListContinuation: {
            contents: [video()],
            continuations: [{ reloadContinuationData: { continuation: 'next' } }],
          },
        },
      },
    ],
  ])('is found %s', (_, answer) => {
    expect(list(answer)).toMatchObject({ items: [{ id: ID }], next: 'next', omitted: 0 });
  });

  it.each<[string, object]>([
    [
      'of a shelf',
      browse(playlist([video(), { shelfRenderer: { content: { contents: [renderer(command)] } } }])),
    ],
    [
      'of a menu',
      browse(
        playlist([
          { playlistVideoRenderer: { videoId: ID, menu: { continuationCommand: { token: 'menu' } } } },
        ]),
      ),
    ],
    ['of an empty list of continuations', browse(playlist([video()], { continuations: [] }))],
  ])('is not that %s', (_, answer) => {
    expect(list(answer)?.next).toBeNull();
  });

  it.each(
    [[''], [7], ['a\u0000b'], ['a b'], ['a'.repeat(5_000)], [null]].flatMap(([token]) => [
      [token, playlist([video(), renderer({ continuationCommand: { token } })])],
      [token, playlist([video(), model({ elsewhere: { token: 'next' } })])],
      [token, playlist([video()], { futureContinuation: { value: token } })],
    ]),
  )('that is not found, such as %j, is an error and never the end', (_, contents) => {
    expect(() => list(browse(contents as object))).toThrow(row('no_token'));
  });
});

describe('a page', () => {
  it.each<[string, object]>([
    ['entries', browse(playlist([unknown, unknown]))],
    ['sections', browse({ futureSectionViewModel: { contents: [video()] } })],
    ['lists', browse(section({ futureListRenderer: { contents: [video()] } }))],
    ['contents of lists', browse(section({ playlistVideoListRenderer: { videos: [video()] } }))],
    [
      'grids',
      {
        contents: {
          twoColumnBrowseResultsRenderer: {
            tabs: [{ tabRenderer: { content: { futureGrid: { contents: [video()] } } } }],
          },
        },
      },
    ],
    ['cells of grids', browse({ richGridRenderer: { contents: [{ richItemRenderer: { future: video() } }] } })],
    [
      'lockups',
      browse(section({ lockupViewModel: { contentId: ID, contentType: 'LOCKUP_CONTENT_TYPE_FUTURE' } })),
    ],
    ['entries beside a notice', browse(section({ messageRenderer: {} }, unknown))],
    ['ids', browse(playlist([video('short')]))],
  ])('whose %s are all unknown is an error, never an empty list', (_, answer) => {
    expect(() => list(answer)).toThrow(row('unknown_layout'));
  });

  it('with some unknown entries counts them', () => {
    expect(list(browse(playlist([video(), unknown, video('x')])))).toMatchObject({
      items: [{ id: ID }],
      omitted: 2,
    });
  });

  it.each<[string, object]>([
    ['a notice', browse(section({ messageRenderer: { text: {} } }))],
    [
      'shelves',
      browse(section({ reelShelfRenderer: {} }, { gridShelfViewModel: {} }), { richSectionRenderer: {} }),
    ],
    ['nothing', browse(playlist([]))],
    ['unavailable videos', browse(playlist([{ playlistVideoRenderer: { videoId: ID, isPlayable: false } }]))],
    [
      'playlists',
      browse(section({ lockupViewModel: { contentId: 'PL1', contentType: 'LOCKUP_CONTENT_TYPE_PLAYLIST' } })),
    ],
  ])('with %s alone is an empty list', (_, answer) => {
    expect(list(answer)).toEqual({ items: [], next: null, omitted: 0 });
  });

  it.each<[string, object]>([
    [
      'a header',
      {
        onResponseReceivedCommands: [
          {
            reloadContinuationItemsCommand: {
              slot: 'RELOAD_CONTINUATION_SLOT_HEADER',
              continuationItems: [unknown],
            },
          },
        ],
      },
    ],
    ['nothing', { responseContext: {} }],
    [
      'tabs without contents',
      { contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: {} }] } } },
    ],
  ])('with %s has no list', (_, answer) => {
    expect(list(answer)).toBeNull();
  });

  it('of a search follows the same rules', () => {
    const search = (...contents: readonly object[]) =>
      JSON.stringify({
        contents: {
          twoColumnSearchResultsRenderer: {
            primaryContents: { sectionListRenderer: { contents: [section(...contents)] } },
          },
        },
      });
    expect(() => readSearch(search(unknown), 'video')).toThrow(row('unknown_layout'));
    expect(() => readSearch(search({ channelRenderer: {} }), 'video')).toThrow(row('unknown_layout'));
    expect(() => readSearch('{}', 'video')).toThrow(row('no_results_list'));
    expect(readSearch(search({ backgroundPromoRenderer: {} }), 'video').items).toEqual([]);
    expect(readSearch(search({ channelRenderer: { channelId: CHANNEL } }, unknown), 'video')).toEqual({
      items: [],
      next: null,
      omitted: 1,
    });
  });
});
