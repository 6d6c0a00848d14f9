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

describe('the library and its citations', () => {
  it('library search prints the address of each second with its sentence, and sends a phrase as it is', async () => {
    const found = {
      url: 'https://video.example/a&t=61s',
      title: 'A',
      text: 'Long before. The night shift. Long after.',
      match: { start: 61, text: 'night shift', sentence: 'The night shift.' },
      video_id: 'a',
    };
    const body = { ok: true, results: [found], is_complete: true, next: null };
    const { type, sent } = given({ 'GET /v1/library/search': { body } });
    const { out } = await type('library search night shift --job 1');
    expect(out).toBe('https://video.example/a&t=61s  A\nThe night shift.\n');
    expect(sent[0]?.query).toBe('?q=night+shift&job_id=1');
  });

  it('library list prints what was received, and what of it is a translation', async () => {
    const transcripts = [
      {
        video_id: 'a',
        language: 'en',
        translated: false,
        received_at: '2026-01-15T12:00:00.000Z',
        title: 'A',
      },
    ];
    const { type, sent } = given({ 'GET /v1/library': { body: { ok: true, transcripts, next: null } } });
    transcripts.push({ ...transcripts[0], translated: true } as (typeof transcripts)[number]);
    expect((await type('library list --language en')).out).toBe(
      'a  en               2026-01-15T12:00:00.000Z  A\na  en (translated)  2026-01-15T12:00:00.000Z  A\n',
    );
    expect(sent[0]?.query).toBe('?language=en');
  });

  it('library prints all of a list or a search as CSV, and takes no limit with it', async () => {
    const text = '\ufeffvideo_id,title\r\na,A\r\n';
    const reply = { body: new Response(text) };
    const whole = { body: { results: [], next: null } };
    const first = 'GET /v1/library/search?q=night+shift&limit=1';
    const { type, sent } = given({ 'GET /v1/library': reply, 'GET /v1/library/search': reply, [first]: whole });
    expect((await type('library list --csv --job 1')).out).toBe('\ufeffvideo_id,title\na,A\n');
    expect((await type('library search night shift --csv')).out).toBe('\ufeffvideo_id,title\na,A\n');
    expect(sent.map(({ query }) => query)).toEqual([
      '?job_id=1&format=csv&limit=100',
      '?q=night+shift&limit=1',
      '?q=night+shift&format=csv&limit=50',
    ]);
    expect((await type('library list --csv --limit 5')).code).toBe(2);
  });

  it('library search says beside its output what is not in it', async () => {
    const index = { transcripts: 300, indexed: 33, is_growing: false };
    const found = { url: 'u', title: 'A', text: 'Found.', match: { start: 1, text: 'Found' } };
    const body = { ok: true, results: [found, found], total: 9, is_complete: false, index, next: null };
    const table =
      '\ufeffvideo_id,title\r\na,A\r\n"NOT COMPLETE: 33 of 300 transcripts can be searched so far",\r\n';
    const { type } = given({
      'GET /v1/library/search': { body },
      'GET /v1/library/search?q=found&format=csv&limit=50': { body: new Response(table) },
    });
    const { out, err } = await type('library search found --limit 1 --json');
    expect(JSON.parse(out)).toEqual([found]);
    expect(err).toBe(
      'Shown: 1 of 9. --limit shows more.\nNot complete: 33 of 300 transcripts can be searched so far.\n',
    );
    expect((await type('library search found --csv')).err).toContain('33 of 300 transcripts');
  });

  it('cite prints the reference to a second of a video', async () => {
    const { type, sent } = given({ 'GET /v1/video/citation': { body: new Response('@misc{a,\n}\n') } });
    expect((await type('cite manualEn001 --format bibtex --at 91')).out).toBe('@misc{a,\n}\n');
    expect((await type('cite manualEn001 --json')).out).toBe('{"citation":"@misc{a,\\n}\\n"}\n');
    expect(sent.map(({ query }) => query)).toEqual([
      '?input=manualEn001&format=bibtex&at=91',
      '?input=manualEn001',
    ]);
  });
});
