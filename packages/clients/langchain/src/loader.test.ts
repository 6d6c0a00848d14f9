import { describe, expect, it, jest } from '@jest/globals';
import { ForbiddenError, NoCaptionsError } from '@transcript-delivery/sdk';
import { type LoadFailure, TranscriptLoader } from './index.ts';
import { envelope, fakeService, passage, type Reply, video } from './test-support/fake-service.ts';

const transcriptOf = (id: string): Reply => ({
  body: {
    ok: true,
    format: 'json',
    video: video(id),
    language: { requested: 'en', delivered: 'en-GB' },
    cues: [],
    passages: [passage(id, 0, 'First.'), passage(id, 12, 'Second.')],
  },
});
const noCaptions = envelope('NoCaptions', 'no_captions', 404);

/** A service whose videos are delivered, but for those whose id says otherwise. */
const videos = (replies: Readonly<Record<string, Reply>> = {}) =>
  fakeService((_request, url) => {
    const id = url.searchParams.get('video_id') ?? '';
    return replies[id] ?? transcriptOf(id);
  });

describe('a loader of one video', () => {
  it('makes a document of each passage, with the link to its second', async () => {
    const { with: given, sent } = videos();
    const loader = new TranscriptLoader(
      given({ videos: 'manualEn001', language: 'en-GB,en', fallback: false, passageCharacters: 400 }),
    );
    const documents = await loader.load();
    expect(documents.map(({ pageContent }) => pageContent)).toEqual(['First.', 'Second.']);
    expect(documents[1]?.metadata).toEqual({
      source: 'https://www.youtube.com/watch?v=manualEn001&t=12s',
      video_id: 'manualEn001',
      title: 'Title of manualEn001',
      channel: 'Channel',
      published_at: '2026-01-15',
      language: 'en-GB',
      translated: false,
      start: 12,
      end: 17,
    });
    expect(Object.fromEntries(new URLSearchParams(sent[0]?.query))).toEqual({
      video_id: 'manualEn001',
      format: 'json',
      passages: 'true',
      language: 'en-GB,en',
      fallback: 'false',
      passage_characters: '400',
    });
  });

  it('leaves out what is unknown, because vector stores refuse null', async () => {
    const { with: given } = fakeService(() => ({
      body: {
        format: 'clean',
        text: 'All of it.\n',
        video: { ...video('manualEn001'), title: null, published_at: null, duration: null },
        language: { delivered: 'de', translation: 'served' },
      },
    }));
    const [document] = await new TranscriptLoader(given({ videos: 'manualEn001', whole: true })).load();
    expect(document).toMatchObject({ pageContent: 'All of it.' });
    expect(document?.metadata).toEqual({
      source: 'https://www.youtube.com/watch?v=manualEn001',
      video_id: 'manualEn001',
      channel: 'Channel',
      language: 'de',
      translated: true,
      start: 0,
    });
  });

  it('throws the error of the SDK', async () => {
    const { with: given } = videos({ noCaptions1: noCaptions });
    const loading = new TranscriptLoader(given({ videos: ['noCaptions1'] })).load();
    await expect(loading).rejects.toBeInstanceOf(NoCaptionsError);
  });

  it('refuses to be made without anything to load', () => {
    expect(() => new TranscriptLoader({ videos: [], apiKey: 'a', baseUrl: 'http://b' })).toThrow(
      'Give videos, or a source',
    );
  });
});

describe('a loader of several videos', () => {
  const all = ['manualEn001', 'noCaptions1', 'manualEn003', 'manualEn004'];
  const replies = { noCaptions1: noCaptions };

  it('loads the others in their order, and reports the one that failed', async () => {
    const failures: LoadFailure[] = [];
    const { with: given } = videos(replies);
    const onFailure = (failure: LoadFailure) => void failures.push(failure);
    const documents = await new TranscriptLoader(given({ videos: all, onFailure })).load();
    expect(documents.map(({ metadata }) => `${metadata.video_id} ${metadata.start}`)).toEqual([
      'manualEn001 0',
      'manualEn001 12',
      'manualEn003 0',
      'manualEn003 12',
      'manualEn004 0',
      'manualEn004 12',
    ]);
    expect(failures).toEqual([
      { video: 'noCaptions1', code: 'no_captions', message: 'It is no_captions.', retryable: false },
    ]);
  });

  it('warns of a failure that nothing handles', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      const { with: given } = videos(replies);
      await new TranscriptLoader(given({ videos: all })).load();
      expect(warn.mock.calls).toEqual([[expect.stringContaining('noCaptions1 is not loaded')]]);
    } finally {
      warn.mockRestore();
    }
  });

  it('ends at once if the key is refused, because no other video would do better', async () => {
    const { with: given, sent } = fakeService(() => envelope('Forbidden', 'invalid_api_key', 403));
    const onFailure = jest.fn();
    await expect(new TranscriptLoader(given({ videos: all, onFailure })).load()).rejects.toBeInstanceOf(
      ForbiddenError,
    );
    expect(onFailure).not.toHaveBeenCalled();
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  it('throws if none can be loaded, so that an index is not empty by mistake', async () => {
    const { with: given } = videos({ noCaptions1: noCaptions, noCaptions2: noCaptions });
    const onFailure = jest.fn();
    const loader = new TranscriptLoader(given({ videos: ['noCaptions1', 'noCaptions2'], onFailure }));
    await expect(loader.load()).rejects.toBeInstanceOf(NoCaptionsError);
    expect(onFailure).toHaveBeenCalledTimes(2);
  });

  it('asks for no more videos than are read', async () => {
    const { with: given, sent } = videos();
    for await (const { metadata } of new TranscriptLoader(given({ videos: all })).lazyLoad())
      if (metadata.video_id === 'manualEn001') break;
    expect(sent.length).toBeLessThanOrEqual(3);
  });
});

describe('a loader of a channel', () => {
  const row = (id: string, over: object = {}) => ({
    video_id: id,
    status: 'fetched',
    title: `Title of ${id}`,
    channel_title: 'Channel',
    published_date: '2026-01-15',
    delivered_language: 'en',
    duration: 65,
    output_file: `transcripts/${id}.json`,
    error_code: null,
    message: null,
    retryable: null,
    ...over,
  });
  const failed = row('noCaptions1', {
    status: 'error',
    output_file: null,
    error_code: 'no_captions',
    message: 'This video has no captions.',
    retryable: false,
  });
  const rows = [row('manualEn001'), failed, row('manualEn003')];

  const service = (job: object = {}, file: (id: string) => Reply = () => ({ body: 'All of it.\n' })) =>
    fakeService((request, url) => {
      if (request === 'POST /v1/jobs') return { status: 202, body: { ok: true, job: { id: 'job-1' } } };
      if (request.endsWith('/events')) return { body: 'data: {"status":"completed"}\n\n' };
      if (request.endsWith('/manifest')) return { body: { ok: true, rows } };
      if (request.endsWith('/videos')) return { body: { ok: true, videos: rows, next: null } };
      if (request.includes('/files/')) {
        const id = url.pathname.slice(-11);
        return url.search ? { body: { passages: [passage(id, 3, `Of ${id}.`)] } } : file(id);
      }
      return { body: { ok: true, job: { id: 'job-1', status: 'completed', error: null, ...job } } };
    });

  it('runs one job, waits for it, and reads the passages of what it delivered', async () => {
    const onFailure = jest.fn();
    const { with: given, sent } = service();
    const options = { source: '@handle', newest: 3, contents: 'videos' as const, passageCharacters: 300 };
    const documents = await new TranscriptLoader(given({ ...options, onFailure })).load();
    expect(sent[0]).toMatchObject({
      request: 'POST /v1/jobs',
      body: { input: '@handle', newest: 3, contents: 'videos', format: 'json' },
    });
    expect(documents.map(({ pageContent }) => pageContent)).toEqual(['Of manualEn001.', 'Of manualEn003.']);
    expect(documents[0]?.metadata).toMatchObject({
      channel: 'Channel',
      published_at: '2026-01-15',
      start: 3,
    });
    expect(sent.at(-1)?.query).toBe('?passages=true&passage_characters=300');
    expect(onFailure.mock.calls).toEqual([
      [
        {
          video: 'noCaptions1',
          code: 'no_captions',
          message: 'This video has no captions.',
          retryable: false,
        },
      ],
    ]);
  });

  it('reports a file that cannot be read like a video that failed', async () => {
    const lost = envelope('UpstreamError', 'manifest_file_unavailable', 502);
    const { with: given, sent } = service({}, (id) => (id === 'manualEn003' ? lost : { body: 'All of it.' }));
    const codes: string[] = [];
    const onFailure = ({ code }: LoadFailure) => void codes.push(code);
    const documents = await new TranscriptLoader(given({ source: '@handle', whole: true, onFailure })).load();
    expect(sent[0]?.body).toEqual({ input: '@handle', format: 'clean' });
    expect(documents).toMatchObject([{ pageContent: 'All of it.', metadata: { start: 0, end: 65 } }]);
    expect(codes).toEqual(['no_captions', 'manifest_file_unavailable']);
  });

  it('reports that the source has more than could be read', async () => {
    const { with: given } = service({ source: { kind: 'playlist', input: 'PL1' }, omitted: 2 });
    const failures: LoadFailure[] = [];
    const onFailure = (failure: LoadFailure) => void failures.push(failure);
    await new TranscriptLoader(given({ source: 'PL1', onFailure })).load();
    expect(failures.at(-1)).toMatchObject({ video: 'PL1', code: 'omitted', retryable: true });
  });

  it('throws what a job as a whole failed with', async () => {
    const { with: given } = service({ status: 'failed', error: { code: 'source_not_found' } });
    await expect(new TranscriptLoader(given({ source: '@nobody' })).load()).rejects.toThrow(
      'The job job-1 of @nobody failed: source_not_found',
    );
  });
});
