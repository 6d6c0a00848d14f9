import { describe, expect, it } from '@jest/globals';
import { transcriptBody } from '@tds/http-api';
import { newTranscript, newTranscriptFor } from '../../test-support/builders.ts';
import { setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();
const { get, freshVideo } = reads;

const words = [
  { start: 0.5, text: 'hello' },
  { start: 0.9, text: 'there' },
];
const FILE = JSON.stringify([{ start: 0.5, duration: 1, text: 'hello there', words }]);

describe('GET /v1/transcript with words', () => {
  it('answers json whose cues have words, from the cache', async () => {
    const video = { ...newTranscript('').video, id: freshVideo() };
    await reads.harness.cache(newTranscript(FILE, { format: 'words', video }), FILE);
    const search = `/v1/transcript?video_id=${video.id}&format=json`;
    const answer = await get(`${search}&words=true`);
    expect(transcriptBody.parse(answer.body)).toMatchObject({ format: 'json', cues: [{ words }] });
    expect(answer.headers['x-cache']).toBe('HIT');
    const raw = await get(`${search}&words=1&raw=1`);
    expect(JSON.parse(raw.text)).toEqual(JSON.parse(FILE));
    expect(raw.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'content-disposition': expect.stringContaining('.en.json'),
    });
    expect(reads.harness.fetcher.asked).toEqual([]);
  });

  it('is another transcript than json without them', async () => {
    reads.harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE);
    reads.harness.storeFile(newTranscript(FILE), FILE);
    const id = freshVideo();
    await get(`/v1/transcript?video_id=${id}&format=json&words=true`);
    await get(`/v1/transcript?video_id=${id}&format=json&words=false`);
    expect(reads.harness.fetcher.asked).toMatchObject([
      { request: { format: 'words' } },
      { request: { format: 'json' } },
    ]);
  });

  it('that is pending is polled for its words', async () => {
    const requestId = reads.harness.newId();
    reads.harness.fetcher.commands.getTranscript = async () => ({ state: 'pending', requestId });
    reads.harness.fetcher.commands.pollRequest = async () => ({ state: 'pending', requestId });
    const { status, body } = await get(`/v1/transcript?video_id=${freshVideo()}&format=json&words=1&raw=1`);
    const pollUrl = `/v1/transcript?request_id=${requestId}&format=json&words=1&raw=1`;
    expect([status, body.poll_url]).toEqual([202, pollUrl]);
    reads.harness.fetcher.asked.length = 0;
    expect((await get(pollUrl)).body.poll_url).toBe(pollUrl);
    expect(reads.harness.fetcher.asked).toMatchObject([{ request: { requestId, format: 'words' } }]);
  });

  it.each(['', '&format=srt', '&format=both'])('is refused for another format: %s', async (format) => {
    for (const mode of [`video_id=${freshVideo()}`, `request_id=${reads.harness.newId()}`]) {
      const answer = await get(`/v1/transcript?${mode}${format}&words=true`);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_words']);
      expect(answer.headers['x-credits-charged']).toBe('0');
    }
    expect(reads.harness.fetcher.asked).toEqual([]);
  });
});
