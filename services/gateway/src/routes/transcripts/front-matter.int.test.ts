import { describe, expect, it } from '@jest/globals';
import { transcriptBody } from '@tds/http-api';
import { renderTranscript } from '@tds/transcript-format';
import { newTranscript } from '../../test-support/builders.ts';
import { setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();
const { get, head, freshVideo } = reads;

const newMarkdown = () => {
  const video = { ...newTranscript('').video, id: freshVideo() };
  const cues = [{ startMs: 0, durationMs: 1_000, text: 'Hello' }];
  const file = renderTranscript({ video, cues, language: { delivered: 'en', kind: 'manual' } }, 'md');
  return { id: video.id, file, delivered: newTranscript(file, { format: 'md', video }) };
};
const search = (id: string) => `/v1/transcript?video_id=${id}&format=md&front_matter=true`;
const NOTE = /^---\ntitle: "A \\"title\\" of \u{1F600}"\npublished_at: 2009-10-25\nduration: "03:32"\n/u;

describe('front matter', () => {
  it('stands before a cached transcript, in the file and in JSON, and not for those who do not ask', async () => {
    const { id, file, delivered } = newMarkdown();
    await reads.harness.cache(delivered, file);
    const plain = await get(`/v1/transcript?video_id=${id}&format=md&raw=1`);
    const raw = await get(`${search(id)}&raw=1`);
    expect([raw.status, raw.headers['x-cache'], raw.headers['x-credits-charged']]).toEqual([200, 'HIT', '0']);
    expect(raw.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(raw.text).toMatch(NOTE);
    expect(transcriptBody.parse((await get(search(id))).body)).toMatchObject({ format: 'md', text: raw.text });
    expect((await head(`${search(id)}&raw=1`)).headers['content-length']).toBe(
      String(Buffer.byteLength(raw.text)),
    );
    expect((await get(`/v1/transcript?video_id=${id}&format=md&raw=1`)).text).toBe(plain.text);
    expect(plain.text).toMatch(/^# A "title" of/);
  });

  it('comes with a new transcript, and with a poll at the address that the 202 names', async () => {
    const { id, file, delivered } = newMarkdown();
    const requestId = reads.harness.newId();
    const { commands } = reads.harness.fetcher;
    commands.getTranscript = commands.pollRequest = async () => ({ state: 'pending', requestId });
    const pending = await get(`${search(id)}&raw=1`);
    expect(pending.body.poll_url).toBe(
      `/v1/transcript?request_id=${requestId}&format=md&raw=1&front_matter=true`,
    );
    commands.pollRequest = async () => ({ ...delivered, cache: 'MISS', creditsCharged: 1, text: file });
    expect((await get(pending.body.poll_url)).text).toMatch(NOTE);
  });

  it.each(['format=srt&front_matter=true', 'front_matter=true', 'format=md&front_matter=yes'])(
    'is refused with %s, which costs and counts nothing',
    async (more) => {
      const { id, file, delivered } = newMarkdown();
      await reads.harness.cache(delivered, file);
      const answer = await get(`/v1/transcript?video_id=${id}&${more}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_front_matter']);
      expect(reads.harness.fetcher.asked).toEqual([]);
    },
  );
});
