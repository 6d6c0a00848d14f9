import { describe, expect, it } from '@jest/globals';
import { belongsTo, channelSource, isShort, listKey, listPhases, readSource } from './source.ts';

const SUFFIX = 'abcdefghijklmnopqrstuv';
const CHANNEL = `UC${SUFFIX}`;
const UPLOADS = `UU${SUFFIX}`;
const PLAYLIST = 'PLabcdefghijklmnopqrstuvwxyz012345';

describe('a link to one video', () => {
  it('in a playlist is answered with the link of the whole playlist', () => {
    const link = 'https://www.youtube.com/watch?v=manualEn001&list=PLabcdefghijklmnop&index=2';
    expect(() => readSource(link)).toThrow(
      expect.objectContaining({
        code: 'single_video',
        message: expect.stringContaining('https://www.youtube.com/playlist?list=PLabcdefghijklmnop'),
      }),
    );
  });

  it.each([
    'manualEn001',
    'https://youtu.be/manualEn001',
    'https://www.youtube.com/live_chat?v=manualEn001&is_popout=1',
    'https://www.youtube.com/api/timedtext?v=manualEn001&lang=en',
  ])('is answered with the video and the route for single videos: %s', (input) => {
    expect(() => readSource(input)).toThrow(/the video manualEn001\..*\/v1\/transcript/);
  });
});

describe('a source', () => {
  it.each([
    ['the id of a channel', CHANNEL],
    ['the address of a channel', `https://www.youtube.com/channel/${CHANNEL}`],
    ['the address of its videos', `https://www.youtube.com/channel/${CHANNEL}/videos`],
  ])('is a channel with its uploads, by %s', (_, input) => {
    expect(readSource(input)).toEqual({ kind: 'channel', id: CHANNEL, playlistId: UPLOADS });
  });

  it.each([
    ['its id', PLAYLIST],
    ['its address', `https://www.youtube.com/playlist?list=${PLAYLIST}`],
  ])('is a playlist by %s', (_, input) => {
    expect(readSource(input)).toEqual({ kind: 'playlist', id: PLAYLIST, playlistId: PLAYLIST });
  });

  it.each(['@handle', 'https://www.youtube.com/@handle', 'https://www.youtube.com/@handle/shorts'])(
    'is a channel to resolve by the name %s',
    (input) => {
      expect(readSource(input)).toMatchObject({ kind: 'channel_name' });
    },
  );

  it('is a resolved list by its key', () => {
    const key = listKey(['a', 'b']);
    expect(readSource(`list:${key}`)).toEqual({ kind: 'list', id: key });
  });

  it.each([
    ['nothing', ''],
    ['words', 'how to bake bread'],
    ['another site', 'https://example.com/'],
  ])('is not read from %s', (_, input) => {
    expect(() => readSource(input)).toThrow(expect.objectContaining({ code: 'bulk_input_required' }));
  });

  it('of a channel has the list of its uploads', () => {
    expect(channelSource(CHANNEL)).toEqual({ kind: 'channel', id: CHANNEL, playlistId: UPLOADS });
  });
});

describe('the phases of a listing', () => {
  it('of all uploads are the Shorts, to recognise them, and then all rows', () => {
    expect(listPhases(UPLOADS, 'all')).toEqual([
      { name: 'shorts', playlistId: `UUSH${SUFFIX}` },
      { name: 'rows', playlistId: UPLOADS },
    ]);
  });

  it.each([
    ['videos', `UULF${SUFFIX}`],
    ['shorts', `UUSH${SUFFIX}`],
    ['streams', `UULV${SUFFIX}`],
  ] as const)('of the %s of a channel are the list that has only these', (contents, playlistId) => {
    expect(listPhases(UPLOADS, contents)).toEqual([{ name: 'rows', playlistId }]);
  });

  it.each(['all', 'videos', 'shorts', 'streams'] as const)(
    'of %s of a playlist are the playlist',
    (contents) => {
      expect(listPhases(PLAYLIST, contents)).toEqual([{ name: 'rows', playlistId: PLAYLIST }]);
    },
  );
});

describe('a row', () => {
  const none: ReadonlySet<string> = new Set();
  const row = (isMarked: boolean | null) => ({ id: 'v', isShort: isMarked });

  it.each([
    ['the list of Shorts has it', row(null), UPLOADS, new Set(['v']), true],
    ['it stands in the list of Shorts', row(null), `UUSH${SUFFIX}`, none, true],
    ['it is marked as one', row(true), PLAYLIST, none, true],
    ['it is marked as none', row(false), PLAYLIST, none, false],
    ['nothing says so', row(null), UPLOADS, new Set(['other']), false],
  ])('is a Short if %s', (_, one, playlistId, shorts, expected) => {
    expect(isShort(one, playlistId, shorts)).toBe(expected);
  });

  it.each([
    ['all', true, true],
    ['all', false, true],
    ['videos', true, false],
    ['videos', false, true],
    ['shorts', true, true],
    ['shorts', false, false],
  ] as const)('belongs to %s, if it is a Short (%s): %s', (contents, isOne, expected) => {
    expect(belongsTo(contents, { isShort: isOne })).toBe(expected);
  });
});

describe('the key of a list', () => {
  it('is the same for the same videos in the same order, and 22 letters long', () => {
    expect(listKey(['a', 'b'])).toBe(listKey(['a', 'b']));
    expect(listKey(['a', 'b'])).toMatch(/^[\w-]{22}$/);
  });

  it('differs for other videos and for another order', () => {
    expect(new Set([listKey(['a', 'b']), listKey(['b', 'a']), listKey(['a']), listKey([])]).size).toBe(4);
  });
});
