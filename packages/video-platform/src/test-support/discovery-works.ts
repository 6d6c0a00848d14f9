import { isoSeconds } from '../discovery/data-api-items.ts';
import { readFeedBody } from '../discovery/feed.ts';
import { readListing } from '../discovery/listing.ts';
import { readSearch } from '../discovery/search.ts';
import { asToken, clockSeconds, viewCount, wholeNumber } from '../discovery/web-pages.ts';
import { CHANNEL_ID, channelFeed, feedEntry } from './feed-wire.ts';
import { browse, ID, section } from './pages.ts';

const filled = (text: string, length: number) => text.repeat(Math.ceil(length / text.length));
const page = (...entries: readonly object[]) => JSON.stringify(browse(section(...entries)));
const lockup = (detail: string) => ({
  lockupViewModel: {
    contentId: ID,
    contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
    metadata: {
      lockupMetadataViewModel: {
        title: { content: 'T' },
        metadata: {
          contentMetadataViewModel: { metadataRows: [{ metadataParts: [{ text: { content: detail } }] }] },
        },
      },
    },
  },
});
/** As text: such objects are too deep for `JSON.stringify`. */
const nested = (count: number): string =>
  page({ continuationItemRenderer: 0 }).replace(
    '0',
    `${'{"continuationHolder":'.repeat(count)}0${'}'.repeat(count)}`,
  );
const title = (text: string) => page({ videoRenderer: { videoId: ID, title: { simpleText: text } } });

/** What a stranger may send, by its length. */
const inputs: readonly (readonly [string, (length: number) => () => unknown])[] = [
  ['a clock', (length) => () => clockSeconds(filled('1:', length))],
  ['a count', (length) => () => viewCount(filled('1,111', length))],
  ['a number', (length) => () => wholeNumber(filled('9', length))],
  ['a duration', (length) => () => isoSeconds(`P${filled('1D', length)}`)],
  ['a token', (length) => () => asToken(filled('a ', length))],
  ['spaces', (length) => readingOf(title(filled(' \t', length)))],
  ['halves of characters', (length) => readingOf(title(filled('\ud83d', length)))],
  ['a detail of digits', (length) => readingOf(page(lockup(filled('1.', length))))],
  ['a detail of words', (length) => readingOf(page(lockup(filled('updated ', length))))],
  ['tokens without an end', (length) => readingOf(nested(length / 20))],
  [
    'many unknown entries',
    (length) => readingOf(page(...Array.from({ length: length / 40 }, () => ({ futureRenderer: {} })))),
  ],
  ['many lists', (length) => readingOf(page(...Array.from({ length: length / 40 }, () => section())))],
  ['spaces before a feed', (length) => feedOf(filled(' \n', length) + channelFeed())],
  ['an id of a feed', (length) => feedOf(channelFeed(feedEntry({ id: filled(' yt:video:', length) })))],
  [
    'channels of a feed',
    (length) => feedOf(channelFeed().replaceAll('/channel/', filled('/channel/UC', length))),
  ],
  [
    'a date of a feed',
    (length) => feedOf(channelFeed(feedEntry({ id: ID, published: filled('2026-', length) }))),
  ],
];

function readingOf(body: string) {
  return () => [readListing(body), readSearch(body, 'video')];
}
function feedOf(body: string) {
  return () => readFeedBody(body, CHANNEL_ID);
}

const attempt = (read: () => unknown) => {
  try {
    read();
  } catch {
    // A refusal is an answer as well.
  }
};

/** For counted steps, by the length of what a stranger sends. */
export const works = Object.fromEntries(
  inputs.map(([name, inputOf]) => [name, (length: number) => attempt(inputOf(length))]),
);
