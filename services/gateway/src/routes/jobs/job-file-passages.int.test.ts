import { expect, it } from '@jest/globals';
import { jobFilePassages } from '@tds/http-api';
import { VIDEO_ID } from '../../test-support/builders.ts';
import { newJob, newStoredRow } from '../../test-support/jobs.ts';
import { setUpReads } from '../../test-support/reads.ts';

const reads = setUpReads();

const fileOf = (text: string) => JSON.stringify([{ start: 0, duration: 1, text, words: null }]);
const have = () => {
  const job = newJob({ format: 'json' });
  const { row, objectKey, stored } = newStoredRow(fileOf('As the job stores it.'), {});
  reads.harness.files.set(objectKey, stored);
  reads.harness.jobs.commands.getJobFile = async () => ({ job, version: 1, row });
  return { row, read: () => reads.get(`/v1/jobs/${job.id}/files/${VIDEO_ID}?passages=true`) };
};

it('the passages of a job file end where the times of words say, which the fetcher renders for the transcript', async () => {
  const { row, read } = have();
  const transcriptId = row.transcript_id ?? '';
  const timed = newStoredRow(fileOf('With the times of words.'), {});
  reads.harness.files.set(timed.objectKey, timed.stored);
  reads.harness.fetcher.commands.renderTranscripts = async ({ format, transcripts }) => {
    expect([format, transcripts]).toEqual(['words', [expect.objectContaining({ transcriptId })]]);
    const file = { bytes: timed.row.bytes ?? 0, sha256: timed.row.sha256 ?? '', crc32: 0 };
    return { rows: [{ transcriptId, state: 'rendered', objectKey: timed.objectKey, ...file }] };
  };
  const { body } = await read();
  expect(jobFilePassages.parse(body)).toMatchObject({ passages: [{ text: 'With the times of words.' }] });
  expect(Object.keys(body.cues[0])).toEqual(['start', 'duration', 'text']);
});

it.each(['lost', 'away'])('are those of its captions if the words are %s', async (how) => {
  const { row, read } = have();
  reads.harness.fetcher.commands.renderTranscripts = async () => {
    if (how === 'away') throw new Error('away');
    const transcriptId = row.transcript_id ?? '';
    return { rows: [{ transcriptId, state: 'failed', code: 'cache_object_missing' }] };
  };
  expect((await read()).body.passages).toMatchObject([{ text: 'As the job stores it.' }]);
});
