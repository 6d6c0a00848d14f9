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

const match = {
  id: 'x',
  query: 'crane',
  video: { video_id: 'manualEn001', title: 'A\u202e talk', published_at: null },
  passages: [
    { start: 61, text: 'The crane turns.', url: 'https://video.example/a&t=61s' },
    { start: 90, text: 'A crane.', url: 'https://video.example/a&t=90s' },
  ],
};
const other = { ...match, id: 'y' };
const PRINTED =
  'A talk  crane\nhttps://video.example/a&t=61s  The crane turns.\nhttps://video.example/a&t=90s  A crane.\n';

describe('monitors', () => {
  it('monitors create knows a playlist from a channel', async () => {
    const monitor = { id: 'm', status: 'active', pause_reason: null, channel: 'c', playlist: null };
    const { type, sent } = given({ 'POST /v1/monitors': { body: { ok: true, monitor } } });
    await type('monitors create @handle --auto-fetch');
    await type('monitors create https://www.youtube.com/playlist?list=PL1');
    await type('monitors create @handle --contents shorts --receivers r1 r2');
    expect(sent.map(({ body }) => body)).toEqual([
      { channel: '@handle', auto_fetch: true, language: 'orig' },
      { playlist: 'https://www.youtube.com/playlist?list=PL1', language: 'orig' },
      { channel: '@handle', contents: 'shorts', receivers: ['r1', 'r2'], language: 'orig' },
    ]);
    expect((await type('monitors create @handle --contents films')).code).toBe(2);
  });

  it('listen for words, each argument a query, and mail the account', async () => {
    const { type, sent } = given({ 'POST /v1/monitors': { body: { ok: true, monitor: { id: 'm' } } } });
    await type('monitors create @handle --auto-fetch --mail daily --words crane dock');
    expect(sent[0]?.body).toEqual({
      ...{ channel: '@handle', auto_fetch: true, language: 'orig' },
      ...{ words: ['crane', 'dock'], mail: 'daily' },
    });
    expect((await type('monitors create @handle --mail hourly')).code).toBe(2);
  });

  it('update sends what is named, and no words as an empty list', async () => {
    const { type, sent } = given({ 'PATCH /v1/monitors/m': { body: { ok: true, monitor: { id: 'm' } } } });
    await type('monitors update m --words crane --auto-fetch');
    await type('monitors update m --mail none --only-matches');
    await type('monitors update m --no-words --no-auto-fetch');
    await type('monitors update m --receivers r1');
    await type('monitors update m --no-receivers');
    expect(sent.map(({ body }) => body)).toEqual([
      { words: ['crane'], auto_fetch: true },
      { mail: 'none', mail_only_matches: true },
      { words: [], auto_fetch: false },
      { receivers: ['r1'] },
      { receivers: [] },
    ]);
  });

  it('matches prints each sentence behind the address of its second, without hidden characters', async () => {
    const body = { ok: true, matches: [match, other], next: null };
    const { type } = given({ 'GET /v1/monitors/m/matches': { body } });
    expect((await type('monitors matches m --limit 1')).out).toBe(PRINTED);
    expect((await type('monitors matches m')).out).toBe(`${PRINTED}\n${PRINTED}`);
    expect(JSON.parse((await type('monitors matches m --json')).out)).toEqual([match, other]);
  });

  it('matches says that there may be more places than the five of a match', async () => {
    const [place] = match.passages;
    const body = { ok: true, matches: [{ ...match, passages: Array(5).fill(place) }], next: null };
    const { type } = given({ 'GET /v1/monitors/m/matches': { body } });
    expect((await type('monitors matches m')).out).toMatch(/\nand perhaps more places\n$/);
  });

  it('library try says in how many transcripts it looked', async () => {
    const body = { ok: true, transcripts: 10, matches: [match] };
    const { type, sent } = given({ 'POST /v1/library/words': { body } });
    const { out, err } = await type('library try crane --monitor m');
    expect([out, err]).toEqual([PRINTED, '1 matches in 10 transcripts\n']);
    expect(sent[0]?.body).toEqual({ words: ['crane'], monitor_id: 'm' });
  });
});
