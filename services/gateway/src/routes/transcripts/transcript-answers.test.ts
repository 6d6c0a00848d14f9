import { describe, expect, it } from '@jest/globals';
import { pollUrl, readRequestId, toSelection, toStoredFormat } from './transcript-answers.ts';

const query = {
  video_id: undefined,
  input: undefined,
  url: undefined,
  request_id: undefined,
  format: undefined,
  language: 'en',
  fallback: true,
  words: false,
  raw: false,
  refresh: false,
  passages: false,
  passage_characters: undefined,
  front_matter: false,
};
const requestId = '0b0e5a8e-6c5e-4c5e-9c5e-6c5e4c5e9c5e';

describe('the modes of a transcript', () => {
  it('video_id alone starts or reads, in format both by default', () => {
    expect(toSelection({ ...query, video_id: 'dQw4w9WgXcQ' })).toEqual({
      videoId: 'dQw4w9WgXcQ',
      language: 'en',
      fallback: true,
      format: 'both',
    });
  });

  it('passages are made from the file that has the times of words', () => {
    expect(toStoredFormat({ ...query, format: 'json', passages: true })).toBe('words');
    expect(toStoredFormat({ ...query, format: 'json' })).toBe('json');
  });

  it('request_id alone polls', () => {
    const poll = { ...query, request_id: requestId };
    expect(toSelection(poll)).toBeNull();
    expect(readRequestId(poll)).toBe(requestId);
  });

  it.each(['input', 'url'])('an address as %s starts what its id starts', (name) => {
    const byAddress = { ...query, [name]: 'https://youtu.be/dQw4w9WgXcQ?t=5' };
    expect(toSelection(byAddress)).toEqual(toSelection({ ...query, video_id: 'dQw4w9WgXcQ' }));
  });

  it.each([
    [{ input: 'https://www.youtube.com/@handle' }, 'single_video_required'],
    [{ url: 'https://example.com/' }, 'invalid_video_id'],
    [{ input: 'dQw4w9WgXcQ', video_id: 'dQw4w9WgXcQ' }, 'conflicting_query_modes'],
  ])('what names no single video is rejected by name (%#)', (source, code) => {
    const asked = { ...query, ...source };
    expect(toSelection(asked)).toBeNull();
    expect(() => readRequestId(asked)).toThrow(expect.objectContaining({ code }));
  });

  it('neither or both are rejected by name', () => {
    expect(() => readRequestId(query)).toThrow(expect.objectContaining({ code: 'unknown_query_mode' }));
    const both = { ...query, video_id: 'dQw4w9WgXcQ', request_id: requestId };
    expect(toSelection(both)).toBeNull();
    expect(() => readRequestId(both)).toThrow(expect.objectContaining({ code: 'conflicting_query_modes' }));
  });

  it.each([
    [{ ...query }, `/v1/transcript?request_id=${requestId}`],
    [{ ...query, format: 'srt' as const }, `/v1/transcript?request_id=${requestId}&format=srt`],
    [
      { ...query, format: 'json' as const, words: true },
      `/v1/transcript?request_id=${requestId}&format=json&words=1`,
    ],
    [{ ...query, raw: true }, `/v1/transcript?request_id=${requestId}&raw=1`],
    [
      { ...query, format: 'json' as const, passages: true, passage_characters: 900 },
      `/v1/transcript?request_id=${requestId}&format=json&passages=true&passage_characters=900`,
    ],
    [
      { ...query, format: 'md' as const, front_matter: true },
      `/v1/transcript?request_id=${requestId}&format=md&front_matter=true`,
    ],
  ])('the polling address has the same form (%#)', (asked, url) => {
    expect(pollUrl(requestId, asked)).toBe(url);
  });
});
