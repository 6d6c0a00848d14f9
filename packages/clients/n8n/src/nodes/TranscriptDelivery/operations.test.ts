import { describe, expect, it } from '@jest/globals';
import { run } from '../../test-support/run-operation.ts';

const job = { id: 'job-1', status: 'completed', omitted: 0 };
const facts = {
  id: 'manualEn001',
  title: 'A talk',
  channel_title: 'Channel',
  published_at: '2026-01-15',
};
const passage = {
  start: 12,
  end: 17,
  text: 'Second.',
  url: 'https://www.youtube.com/watch?v=manualEn001&t=12s',
};

describe('a citation', () => {
  it('is one item, of all of the video if no second is named', async () => {
    const reply = { 'GET /v1/video/citation': '@misc{a,\n}\n' };
    const named = { video: ' manualEn001 ', citationFormat: 'bibtex', at: 0 };
    const { rows, sent } = await run('transcript.cite', named, reply);
    expect(rows).toEqual([{ citation: '@misc{a,\n}\n' }]);
    expect(sent[0]?.query).toEqual({ input: 'manualEn001', format: 'bibtex', at: '0' });
    const whole = await run('transcript.cite', { video: 'manualEn001', citationFormat: 'apa', at: '' }, reply);
    expect(whole.sent[0]?.query).toEqual({ input: 'manualEn001', format: 'apa' });
  });
});

describe('a transcript', () => {
  it('is one item as the service answers it, and what is left empty takes the defaults of the service', async () => {
    const answer = { ok: true, format: 'srt', text: '1\n00:00' };
    const { rows, sent } = await run(
      'transcript.get',
      { video: ' manualEn001 ', format: 'srt', language: '', options: {} },
      { 'GET /v1/transcript': answer },
    );
    expect(rows).toEqual([expect.objectContaining(answer)]);
    expect(sent[0]?.query).toEqual({ video_id: 'manualEn001', format: 'srt' });
  });

  it('is an item for each passage, with its link and the facts of the video', async () => {
    const answer = {
      format: 'json',
      video: facts,
      language: { delivered: 'de', translation: 'served' },
      cues: [],
      passages: [passage],
    };
    const options = { passageCharacters: 300, fallback: false };
    const { rows, sent } = await run(
      'transcript.get',
      { video: 'manualEn001', format: 'passages', language: 'de,en', options },
      { 'GET /v1/transcript': answer },
    );
    expect(rows).toEqual([
      expect.objectContaining({
        ...passage,
        video_id: 'manualEn001',
        title: 'A talk',
        channel: 'Channel',
        published_at: '2026-01-15',
        language: 'de',
        translated: true,
      }),
    ]);
    expect(sent[0]?.query).toEqual({
      video_id: 'manualEn001',
      format: 'json',
      passages: 'true',
      passage_characters: '300',
      language: 'de,en',
      fallback: 'false',
    });
  });
});

it('passages of one transcript add up to what it cost', async () => {
  const passages = [passage, passage, passage];
  const answer = { format: 'json', video: facts, language: { delivered: 'en' }, cues: [], passages };
  const reply = Response.json(answer, { headers: { 'x-credits-charged': '1' } });
  const asked = { video: 'manualEn001', format: 'passages', options: {} };
  const { rows } = await run('transcript.get', asked, { 'GET /v1/transcript': reply });
  expect(rows.map((row) => (row as { charged: unknown }).charged)).toEqual([1, 0, 0]);
});

describe('lists and searches', () => {
  const page = {
    videos: [{ video_id: 'one' }, { video_id: 'two' }, { video_id: 'three' }],
    next_offset: null,
    omitted: 0,
  };

  it('end at the limit, unless all are wanted', async () => {
    const replies = { 'GET /v1/videos': page };
    const given = { source: '@handle', contents: 'videos', limit: 2 };
    expect((await run('list.getVideos', given, replies)).rows).toHaveLength(2);
    const { rows, sent } = await run('list.getVideos', { ...given, returnAll: true }, replies);
    expect(rows).toHaveLength(3);
    expect(sent[0]?.query).toEqual({ input: '@handle', contents: 'videos' });
  });

  it.each([{ limit: 2 }, { returnAll: true }])('say once what a list leaves out, with %j', async (wanted) => {
    const given = { source: '@handle', contents: 'videos', ...wanted };
    const { warnings } = await run('list.getVideos', given, { 'GET /v1/videos': { ...page, omitted: 1 } });
    expect(warnings).toEqual(['1 entry of the source could not be read: videos may be missing.']);
    expect((await run('list.getVideos', given, { 'GET /v1/videos': page })).warnings).toEqual([]);
  });

  it('read no page of a search beyond those that were paid for knowingly', async () => {
    const results = { results: [{ video_id: 'one' }, { video_id: 'two' }], continuation: 'more' };
    const { rows, sent } = await run(
      'search.getMany',
      { query: 'harbour cranes', type: 'video', channel: '', pages: 2 },
      { 'GET /v1/search': results },
    );
    expect(rows).toHaveLength(4);
    expect(sent.map(({ query }) => query)).toEqual([
      { q: 'harbour cranes', type: 'video' },
      { q: 'harbour cranes', type: 'video', continuation: 'more' },
    ]);
  });
});

describe('a job', () => {
  const replies = { 'POST /v1/jobs': { job }, 'GET /v1/jobs/job-1': { job } };

  it('is created of a source with a key that a retry of the node repeats', async () => {
    const given = { from: 'source', source: '@handle', format: 'json', language: '', options: { newest: 5 } };
    const { rows, sent } = await run('job.create', given, replies);
    const body = { input: '@handle', newest: 5, format: 'json' };
    expect(rows).toEqual([job]);
    expect(sent).toEqual([
      { request: 'POST /v1/jobs', query: {}, body, key: `key of ${JSON.stringify(body)}` },
    ]);
  });

  it.each([['manualEn001, manualEn002\nmanualEn003'], [['manualEn001', 'manualEn002', 'manualEn003']]])(
    'is created of videos, of the text %j',
    async (videoIds) => {
      const given = { from: 'videos', videoIds, format: 'clean', options: { newest: 5, contents: 'all' } };
      const { sent } = await run('job.create', given, replies);
      expect(sent[0]?.body).toEqual({
        video_ids: ['manualEn001', 'manualEn002', 'manualEn003'],
        format: 'clean',
      });
    },
  );

  it('is waited for', async () => {
    const events = 'data: {"status":"paused"}\n\ndata: {"status":"completed"}\n\n';
    const { rows } = await run(
      'job.wait',
      { jobId: 'job-1', timeout: 1 },
      { ...replies, 'GET /v1/jobs/job-1/events': events },
    );
    expect(rows).toEqual([job]);
  });

  it.each(['job.create', 'job.get', 'job.wait', 'job.getFiles'])(
    'says in %s what its source had beside it',
    async (name) => {
      const incomplete = {
        'POST /v1/jobs': { job: { ...job, omitted: 2 } },
        'GET /v1/jobs/job-1': { job: { ...job, omitted: 2 } },
        'GET /v1/jobs/job-1/manifest': { rows: [] },
        'GET /v1/jobs/job-1/events': 'data: {"status":"completed"}\n\n',
      };
      const given = { jobId: 'job-1', timeout: 1, as: 'text', from: 'source', source: '@handle' };
      const { warnings } = await run(name, given, incomplete);
      expect(warnings).toEqual(['2 entries of the source could not be read: videos may be missing.']);
    },
  );

  const row = {
    video_id: 'manualEn001',
    title: 'A talk',
    channel_title: 'Channel',
    published_date: '2026-01-15',
    language: 'en',
    output_file: 'transcripts/A talk.en.txt',
  };
  const files = {
    ...replies,
    'GET /v1/jobs/job-1/manifest': { rows: [{ ...row, video_id: 'noCaptions1', output_file: null }, row] },
  };
  const shown = {
    video_id: 'manualEn001',
    title: 'A talk',
    channel: 'Channel',
    published_at: '2026-01-15',
    language: 'en',
    translated: false,
  };

  it('gives the files that were delivered, with their facts', async () => {
    const { rows } = await run(
      'job.getFiles',
      { jobId: 'job-1', as: 'text' },
      { ...files, 'GET /v1/jobs/job-1/files/manualEn001': 'All of it.' },
    );
    expect(rows).toEqual([{ ...shown, file: row.output_file, text: 'All of it.' }]);
  });

  it('gives their passages', async () => {
    const { rows, sent } = await run(
      'job.getFiles',
      { jobId: 'job-1', as: 'passages', options: { passageCharacters: 300 } },
      { ...files, 'GET /v1/jobs/job-1/files/manualEn001': { passages: [passage] } },
    );
    expect(rows).toEqual([{ ...passage, ...shown }]);
    expect(sent.at(-1)?.query).toEqual({ passages: 'true', passage_characters: '300' });
  });
});
