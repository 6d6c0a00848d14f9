import { describe, expect, it } from '@jest/globals';
import { toRefusal } from '../classification/rows.ts';
import { CHANNEL_ID, channelFeed, feedEntries, PLAYLIST_ID, playlistFeed } from '../test-support/feed-wire.ts';
import type { Mutant } from '../test-support/mutate.ts';
import { generateXmlMutants } from '../test-support/mutate-xml.ts';
import { readFeedBody } from './feed.ts';

const wellFormed = /^[\w-]{11}$/;

/** The result: entries of the original, or a refusal that is no fact about the source. */
const outcomeOf = ({ body }: Mutant, sourceId: string, known: ReadonlySet<string>): string => {
  try {
    const { entries, channelId } = readFeedBody(body, sourceId);
    if (entries.some(({ id }) => !wellFormed.test(id))) return 'a malformed id';
    if (entries.some(({ id }) => !known.has(id))) return 'an invented video';
    if (entries.some(({ title }) => (title?.length ?? 0) > 500)) return 'an endless title';
    return channelId === null || channelId.startsWith('UC') ? 'read' : 'a malformed channel';
  } catch (thrown) {
    const { meaning } = toRefusal(thrown, false);
    return meaning.code === 'upstream_error' && meaning.fact.kind === 'none' ? 'refused' : `${meaning.code}`;
  }
};

describe('a spoilt feed', () => {
  it.each([
    ['channel', CHANNEL_ID, channelFeed(...feedEntries(3))],
    ['playlist', PLAYLIST_ID, playlistFeed(...feedEntries(3))],
  ])('of a %s has no other video, or is refused, without a fact about its source', (_, sourceId, body) => {
    const known = new Set(readFeedBody(body, sourceId).entries.map(({ id }) => id));
    const outcomes = new Map<string, string>();
    for (const mutant of generateXmlMutants(body))
      outcomes.set(outcomeOf(mutant, sourceId, known), mutant.name);
    expect([...outcomes.keys()].toSorted()).toEqual(['read', 'refused']);
  });
});
