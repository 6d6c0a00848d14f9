import { afterEach, describe, expect, it } from '@jest/globals';
import { type Reply, terminal } from './test-support/terminal.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
const given = (replies: Readonly<Record<string, Reply>>) => {
  const made = terminal(replies);
  open.push(made);
  return made;
};
const link = {
  id: 'l',
  title: 'A\u202e talk',
  video_id: 'manualEn001',
  opens: 3,
  ends_at: '2026-02-14T12:00:00.000Z',
  url: 'https://a/links/l/x',
};

describe('links', () => {
  it('create prints the address alone, to be piped on', async () => {
    const { type, sent } = given({ 'POST /v1/links': { body: { ok: true, link } } });
    const { out, code } = await type('links create manualEn001 --start 61.5 --end 70 --days 7 -l de');
    expect([code, out]).toEqual([0, 'https://a/links/l/x\n']);
    expect(sent[0]?.body).toEqual({ input: 'manualEn001', start: 61.5, end: 70, days: 7, language: 'de' });
    expect((await type('links create manualEn001 --start soon')).code).toBe(2);
  });

  it('are listed with their ends and readers, and taken back', async () => {
    const { type, sent } = given({
      'GET /v1/links': { body: { ok: true, links: [link] } },
      'DELETE /v1/links/l': { body: { ok: true, link } },
    });
    const { out } = await type('links list');
    for (const part of ['l', '2026-02-14T12:00:00.000Z', '3', 'A talk', link.url]) expect(out).toContain(part);
    expect((await type('links end l')).code).toBe(0);
    expect(sent.map(({ request }) => request)).toEqual(['GET /v1/links', 'DELETE /v1/links/l']);
  });
});
