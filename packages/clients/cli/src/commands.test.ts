import { afterEach, describe, expect, it } from '@jest/globals';
import { type Reply, terminal } from './test-support/terminal.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
const given = (replies: Readonly<Record<string, Reply>> = {}) => {
  const made = terminal(replies);
  open.push(made);
  return made;
};

const job = {
  id: 'job-1',
  status: 'completed',
  counts: { total: 2, cached: 1, fetched: 1, error: 0, cancelled: 0 },
  credits: { charged: 1 },
  created_at: '2026-01-15T12:00:00.000Z',
  name: null,
  videos: [{ translation: 'not_requested' }, { translation: null }],
};

describe('transcripts jobs', () => {
  const progress = { id: 'job-1', status: 'completed', pause_reason: null, counts: job.counts };
  const stream = new Response(`id: 1\nevent: job\ndata: ${JSON.stringify(progress)}\n\n`);
  const replies = {
    'POST /v1/jobs': { status: 202, body: { ok: true, job: { ...job, status: 'running' } } },
    'GET /v1/jobs/job-1/events': { body: stream },
    'GET /v1/jobs/job-1': { body: { ok: true, job } },
  };

  it('create takes ids of videos, or one source', async () => {
    const { type, sent } = given(replies);
    await type('jobs create manualEn001 load0000001 --format md');
    await type('jobs create @handle --newest 50 --mail daily --receivers r');
    expect(sent.map(({ body }) => body)).toEqual([
      { video_ids: ['manualEn001', 'load0000001'], format: 'md', language: 'orig' },
      { input: '@handle', newest: 50, mail: 'daily', receivers: ['r'], language: 'orig' },
    ]);
  });

  it('create --wait shows progress as plain lines if there is no terminal, and ends with the job', async () => {
    const { out, err } = await given(replies).type('jobs create manualEn001 --wait');
    expect(err).toBe(`job-1 is started\n${'━'.repeat(28)} 2/2 completed\n`);
    expect(out).toBe('job-1  completed  2/2  1 charged  2026-01-15T12:00:00.000Z  -\n');
  });

  it('create in a language says before and after it what is translated by machine', async () => {
    const ended = { ...job, videos: [{ translation: 'served' }, { translation: 'not_requested' }] };
    const translated = { ...replies, 'GET /v1/jobs/job-1': { body: { ok: true, job: ended } } };
    const { type } = given(translated);
    const { err } = await type('jobs create @handle --language en --wait');
    expect(err).toMatch(/^What has no captions in en is translated by machine;/);
    expect(err).toMatch(/1 of 2 are translated by machine\n$/);
    expect((await type('jobs create @handle --language orig,en')).err).toBe('');
    expect((await type('--json jobs create @handle --language en')).err).toBe('');
  });

  it('create --wait shows progress as one line of a terminal', async () => {
    const { err } = await given(replies).type('jobs create manualEn001 --wait', { isTTY: true });
    expect(err).toContain('\r\u001b[K');
    expect(err.split('\n')).toHaveLength(3);
  });

  it('list prints a row for each', async () => {
    const list = { 'GET /v1/jobs': { body: { ok: true, jobs: [job, { ...job, id: 'job-2' }], next: null } } };
    const { out } = await given(list).type('jobs list --limit 1');
    expect(out.trim().split('\n')).toEqual(['job-1  completed  2/2  1 charged  2026-01-15T12:00:00.000Z  -']);
  });

  it('cancel and retry change the job that they name', async () => {
    const { type, sent } = given({
      ...replies,
      'POST /v1/jobs/job-1/cancel': { body: { ok: true, job: { ...job, status: 'cancelled' } } },
      'POST /v1/jobs/job-1/retry': { body: { ok: true, job, requeued: 3 } },
    });
    expect((await type('jobs cancel job-1')).out).toContain('cancelled');
    expect((await type('jobs retry job-1')).out).toBe('3 videos are tried again\n');
    expect(sent).toHaveLength(4);
  });
});

describe('other commands', () => {
  it('usage plots every day of the range, with the sum of all keys', async () => {
    const row = { requests: 5, credits_charged: 10 };
    const rows = [
      { ...row, date: '2026-01-01', key_id: 'a' },
      { ...row, date: '2026-01-01', key_id: 'b' },
      { ...row, date: '2026-01-03', key_id: 'a' },
    ];
    const credits = { available: 70, free: 70, purchased: 0, reserved: 0 };
    const { out } = await given({
      'GET /v1/usage': { body: { ok: true, range: { from: '2026-01-01', to: '2026-01-03' }, rows } },
      'GET /v1/account': { body: { ok: true, credits } },
    }).type('usage --from 2026-01-01');
    const [first = '', second = '', third = '', total] = out.split('\n');
    const barOf = (line: string) => (line.match(/█/g) ?? []).length;
    expect([barOf(first), barOf(second), barOf(third)]).toEqual([44, 0, 22]);
    expect(first).toMatch(/^2026-01-01 {2}20 .* 10 requests$/);
    expect(total).toBe('30 credits in 3 days (UTC)');
    expect(out).toContain('70 to spend');
  });

  it('requests prints what failed, and the request with an id', async () => {
    const request = {
      ...{ request_id: 'request-1', created_at: '2026-01-15T12:00:00.000Z', key_id: 'k', job_id: null },
      ...{ route: 'getTranscript', status: 404, code: 'no_captions', credits_charged: 0, duration_ms: 12 },
      video_id: 'noCaptions1',
    };
    const { type, sent } = given({
      'GET /v1/requests': { body: { ok: true, requests: [request], next: null } },
      'GET /v1/requests/request-1': { body: { ok: true, request } },
    });
    const row =
      'request-1  2026-01-15T12:00:00.000Z  getTranscript  no_captions  0 charged  12 ms  noCaptions1\n';
    expect((await type('requests list --failed --key k --from 2026-01-15')).out).toBe(row);
    expect((await type('requests get request-1')).out).toBe(row);
    expect(sent[0]?.query).toBe('?failed=true&from=2026-01-15&key_id=k');
  });

  it('search reads one page unless more are asked for, since each costs a credit', async () => {
    const page = {
      ok: true,
      results: [{ video_id: 'manualEn001', title: 'A' }],
      continuation: 'x',
      has_more: true,
    };
    const { type, sent } = given({ 'GET /v1/search': { body: page } });
    await type('search harbour cranes');
    expect(sent.map(({ query }) => query)).toEqual(['?q=harbour+cranes']);
    await type('search harbour --pages 2');
    expect(sent).toHaveLength(3);
  });

  it('languages lists the tracks and the language that is spoken', async () => {
    const tracks = [
      { language_code: 'ja', kind: 'manual', name: 'Japanese' },
      { language_code: 'pt-BR', kind: 'asr', name: 'Portuguese' },
    ];
    const body = { ok: true, video_id: 'manualEn001', original_language: 'ja', tracks, translatable: true };
    const { type, sent } = given({ 'GET /v1/video/languages': { body } });
    expect((await type('languages https://youtu.be/manualEn001')).out).toBe(
      'ja     manual  Japanese\npt-BR  asr     Portuguese\noriginal: ja\n',
    );
    expect(sent[0]?.query).toBe('?input=https%3A%2F%2Fyoutu.be%2FmanualEn001');
  });

  it('videos stops at the limit', async () => {
    const videos = [1, 2, 3].map((n) => ({ video_id: `video000000${n}`, title: `T\n${n}`, cached: n === 1 }));
    const listed = { 'GET /v1/videos': { body: { ok: true, videos, next_offset: 500 } } };
    const { out } = await given(listed).type('videos @handle --limit 2');
    expect(out).toBe('video0000001  -  cached  T 1\nvideo0000002  -  -       T 2\n');
  });

  it('keys create prints the secret alone', async () => {
    const { type, sent } = given({
      'POST /v1/keys': { status: 201, body: { ok: true, key: { secret: 'svc_live_new' } } },
    });
    expect((await type('keys create laptop --daily-credit-cap 50')).out).toBe('svc_live_new\n');
    expect(sent[0]?.body).toEqual({ name: 'laptop', daily_credit_cap: 50 });
  });

  it('status says whether new transcripts are fetched', async () => {
    const { out } = await given({
      'GET /v1/status': { body: { status: 'operational', new_fetches: true } },
    }).type('status');
    expect(out).toBe('operational: new transcripts are fetched\n');
  });
});

describe('completion and manual', () => {
  it.each([
    ['jobs c', ['create', 'cancel']],
    ['tr', ['transcript']],
    ['transcript x --form', ['--format']],
    ['transcript x --format s', ['srt']],
    ['completion z', ['zsh']],
    ['jobs create --js', ['--json']],
  ])('completes %p', async (words, found) => {
    expect((await given().type(`complete -- ${words}`)).out.trim().split('\n')).toEqual(found);
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    expect((await given().type(`completion ${shell}`)).out).toContain('transcripts complete --');
  });

  it('has every command and option in the manual', async () => {
    const { out } = await given().type('man');
    for (const text of [
      '.TH TRANSCRIPTS 1',
      '.SS jobs create <source\\-or\\-ids...>',
      '.B \\-w, \\-\\-wait',
      'EXIT STATUS',
    ])
      expect(out).toContain(text);
    expect(out).not.toContain('complete [words');
  });
});
