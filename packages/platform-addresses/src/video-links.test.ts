import { afterAll, describe, expect, it } from '@jest/globals';
import { createStepCounter } from '@tds/jest';
import fc from 'fast-check';
import { findVideoLinks } from './video-links.ts';

const steps = createStepCounter<string>(new URL('test-support/works.ts', import.meta.url));
afterAll(steps.stop);

const ID = 'dQw4w9WgXcQ';
const OTHER = 'aqz-KE-bpKQ';
const MAX = 500;
const idsIn = (text: string) => findVideoLinks(text, MAX).videoIds;

describe('findVideoLinks', () => {
  it.each([
    [`See https://youtu.be/${ID}, then (https://www.youtube.com/watch?v=${OTHER}&t=4).`, [ID, OTHER]],
    [`[a talk](https://youtu.be/${ID}?si=x) and <${`https://m.youtube.com/watch?v=${OTHER}`}>`, [ID, OTHER]],
    [`<a href="https://www.youtube.com/embed/${ID}">x</a>`, [ID]],
    [`{"url":"https://www.youtube.com/shorts/${ID}","id":"${OTHER}"}`, [ID, OTHER]],
    [`video:https://youtu.be/${ID}!`, [ID]],
    [`${ID}\n${OTHER}\r\n${ID}`, [ID, OTHER]],
    [`${ID}, ${OTHER};${ID}`, [ID, OTHER]],
    [`take ${ID} please.`, [ID]],
    [`- https://youtu.be/${ID}.\n* ${OTHER}`, [ID, OTHER]],
    ['abcdefghijk', ['abcdefghijk']],
    ['youtube gu8_id-0001\nyoutube -gu8_id0002', ['gu8_id-0001', '-gu8_id0002']],
    ['gu8_id-0001,gu8_id-0002, gu8_id-0003', ['gu8_id-0001', 'gu8_id-0002', 'gu8_id-0003']],
    ['id;title\ngu8_id-0001;Hello world\n"gu8_id-0002","A title, with comma"', ['gu8_id-0001', 'gu8_id-0002']],
    ['gu8_id-0001\tTitle\tgu8_id-0002', ['gu8_id-0001', 'gu8_id-0002']],
    ['1. gu8_id-0001\n2) gu8_id-0002\n\u2022 gu8_id-0003', ['gu8_id-0001', 'gu8_id-0002', 'gu8_id-0003']],
    [
      '{"docid":"gu8_id-0001","list":["gu8_id-0002","gu8_id-0003"]}',
      ['gu8_id-0001', 'gu8_id-0002', 'gu8_id-0003'],
    ],
    [
      `<lite-youtube videoid="gu8_id-0001"> YouTubeVideo('gu8_id-0002', start=3)`,
      ['gu8_id-0001', 'gu8_id-0002'],
    ],
    ['{{YouTube|gu8_id-0001|Title}} [youtube]gu8_id-0002[/youtube]', ['gu8_id-0001', 'gu8_id-0002']],
    ['{{< youtube gu8_id-0001 >}} Some title [gu8_id-0002].en.vtt', ['gu8_id-0001', 'gu8_id-0002']],
    [
      String.raw`{"a":"https:\/\/youtu.be\/${ID}","b":"https:\/\/www.youtube.com\/watch?v\u003d${OTHER}\u0026t=1"}`,
      [ID, OTHER],
    ],
    [String.raw`"https:\\/\\/www.youtube.com\\/watch?v\\u003D${ID}"`, [ID]],
    [String.raw`["${ID}\n${OTHER}"]`, [ID, OTHER]],
    [
      `<a href="https:&#47;&#x2F;www.youtube.com/watch?list=PLx&amp;amp;v&#61;${ID}">&quot;${OTHER}&quot;</a>`,
      [ID, OTHER],
    ],
    [`https://youtu.be/${ID}\u3002https://youtu.be/${OTHER}\u3001`, [ID, OTHER]],
    [`\uff08https://youtu.be/${ID}\uff09\u300chttps://youtu.be/${OTHER}\u300d`, [ID, OTHER]],
    [`\u200ehttps://youtu.be/${ID}\u2026 \u201c${OTHER}\u201d`, [ID, OTHER]],
    [`https://youtu.be/${ID}https://youtu.be/${OTHER}`, [ID, OTHER]],
    [`https://web.archive.org/web/2020/https://www.youtube.com/watch?v=${ID}`, [ID]],
    [`https://example.com/?u=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${ID}`, [ID]],
    [`https://i.ytimg.com/vi/${ID}/0.jpg`, [ID]],
    [
      String.raw`url = {https://youtu.be/a\_b-0000001}, note = {\url{https://youtu.be/a{\_}b-0000002}}`,
      ['a_b-0000001', 'a_b-0000002'],
    ],
    [String.raw`a\_b\-0000001`, ['a_b-0000001']],
    [
      `See https://urldefense.com/v3/__https://youtu.be/${ID}__;!!AbC!xyz$ and "https://urldefense.com/v3/__https://youtu.be/${OTHER}__;!!A!x$"`,
      [ID, OTHER],
    ],
    [`a href=3D"https://www.youtube.com/watch?v=3D${ID.slice(0, 5)}=\r\n${ID.slice(5)}&amp;t=3D1"`, [ID]],
    [
      `https://www.youtube.com/watch_videos?video_ids=${ID},${OTHER},abcdefghijk&title=x`,
      [ID, OTHER, 'abcdefghijk'],
    ],
    [`<iframe src="https://www.youtubeeducation.com/embed/${ID}?si=x"></iframe>`, [ID]],
    [`https://www.youtube.com/watch?v=${ID}&pp=${'x'.repeat(5_000)}`, [ID]],
  ])('finds the ids in %j in order, each once', (text, ids) => {
    expect(idsIn(text)).toEqual(ids);
  });

  it.each([
    'this is information for established well-known engineering',
    'I played it on a PlayStation and compared YouTubeKids, GPT-4o-mini, Llama-3-70B, an iPhone15Pro and a RTX-4090-Ti',
    '{"publishedAt":"2026-03-04T05:06:07Z","channelName":"Chan","publishDate":"2026-03-04","etag":"aB3dE5gH7jK"}',
    '<div class="css-vkt9yt5 css-6c9hg9c"><p class="css-nbcy730" id="x" nonce="a1B2c3D4e5F">a</p></div>',
    '<img src="data:image/png;base64,iVBORw0KGgo\u2026"> ember-12345 LibreOffice',
    'Title\tDescription\tInformation\tURL\nRivers\tLibreOffice\tEnvironment',
    'call 01234567890 on 2026-11-201',
    'INFORMATION AND EDUCATIONAL',
    `https://example.com/watch?v=${ID}`,
    `https://notyoutube.com/watch?v=${ID}`,
    `${ID}x`,
    '',
  ])('takes nothing in %j for a video', (text) => {
    expect(idsIn(text)).toEqual([]);
  });

  it('tells what names no video, and what is nearly one', () => {
    const text = `https://youtu.be/short1\nhttps://www.youtube.com/@handle\n${ID}4\nHello\nhttps://example.com`;
    expect(findVideoLinks(text, MAX).others).toEqual([
      { value: 'https://youtu.be/short1', reason: 'malformed' },
      { value: 'https://www.youtube.com/@handle', reason: 'not_a_video' },
      { value: `${ID}4`, reason: 'malformed' },
    ]);
  });

  it.each([
    String.raw`https:\/\/youtu.be\/short`,
    'https%3A%2F%2Fyoutu.be%2Fshort',
    'https://unknown.youtube.com/watch',
    `https://youtu.be/${'x'.repeat(5_000)}`,
    'https://youtu.be/short\u3002',
  ])('never loses a link: %#', (text) => {
    expect(findVideoLinks(text, MAX)).toMatchObject({ videoIds: [], others: [{}] });
  });

  it('stops at the first video too many', () => {
    const ids = Array.from({ length: 501 }, (_, at) => `A${String(at).padStart(10, '0')}`);
    expect(findVideoLinks(ids.slice(0, 500).join('\n'), MAX)).toMatchObject({ isTooMany: false });
    const found = findVideoLinks(ids.join('\n'), MAX);
    expect([found.isTooMany, found.videoIds.length]).toEqual([true, 500]);
  });

  it('finds each planted id in any surroundings that end before it', () => {
    const junk = fc.string({
      unit: fc.constantFrom('a', 'B', '7', '-', '.', '/', '&', '😀', 'é', '@', ':'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(junk, junk, (before, after) => {
        expect(idsIn(`${before} https://youtu.be/${ID}?${after} x`)).toContain(ID);
      }),
    );
  });

  it('reads each of many equal links once, and no more different ones than a page has', () => {
    const equal = `https://youtu.be/${ID} https://www.youtube.com/feed/library `.repeat(20_000);
    expect(findVideoLinks(equal, MAX)).toMatchObject({ videoIds: [ID], isTooMany: false });
    const links = (count: number) =>
      Array.from({ length: count }, (_, at) => `https://www.youtube.com/feed/${at}`).join(' ');
    expect(findVideoLinks(links(1_900), MAX).isTooMany).toBe(false);
    expect(findVideoLinks(links(2_100), MAX)).toMatchObject({ videoIds: [], isTooMany: true });
  });

  it.each([
    ['one endless word', 'a'.repeat(1_000_000)],
    ['hosts without an end', 'https://youtube.com/'.repeat(50_000)],
    ['100,000 links', `https://youtu.be/${ID}\n`.repeat(100_000)],
    ['punctuation', '.:!?'.repeat(250_000)],
    ['dashes', '-a'.repeat(500_000)],
    ['words of the characters of ids', `${'a-'.repeat(5)}1 `.repeat(90_000)],
    ['escapes', '\\'.repeat(1_000_000)],
    ['entities', '&amp;'.repeat(200_000)],
    ['halves of entities', '&amp;#'.repeat(170_000)],
    ['schemes', 'https://'.repeat(125_000)],
    ['wrapped links', 'urldefense.com/v3/__'.repeat(50_000)],
    ['replaced characters', `urldefense.com/v3/__${'*'.repeat(500_000)}__;${'QUFB'.repeat(125_000)}!!`],
    ['encoded schemes', 'aHR0cHM6Ly'.repeat(100_000)],
    ['lists of videos', 'video_ids=a,'.repeat(80_000)],
    ['commands', '{\\under'.repeat(120_000)],
    ['encoded paths', 'youtube.com%'.repeat(83_000)],
  ])('reads a text of %s in linear time', async (_, text) => {
    const few = await steps.count('links', text.slice(0, text.length / 80));
    // Eight times the text; in square time it would be 64 times as many.
    expect(await steps.count('links', text.slice(0, text.length / 10))).toBeLessThan(few * 12);
    // The whole is read, too.
    findVideoLinks(text, MAX);
  });
});
