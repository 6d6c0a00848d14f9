import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allFiles, answerSources, derived, derivedFolder, derivedPath, readingPath } from './answers.ts';
import { deriveAll } from './derive/derive-all.ts';
import { pruned, replacedIn } from './derive/json.ts';
import { createReplacer } from './derive/leaves.ts';
import { replacedXml } from './derive/markup.ts';
import { survivors } from './derive/survivors.ts';

const replace = createReplacer(new Set());
const made = (value: unknown) => replacedIn(value, replace) as Record<string, string>;

describe('the made-up answers', () => {
  it.each(allFiles)('$name is there', ({ name }) => {
    expect(derived.body(name)).not.toBe('');
  });

  it('are below a megabyte together, and nothing lies beside them', () => {
    const files = readdirSync(derivedFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const known = new Set(
      allFiles
        .flatMap((file) => [derivedPath(file), readingPath(file)])
        .map((path) => join(derivedFolder, path)),
    );
    expect(files.filter((file) => !known.has(file))).toEqual([]);
    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(1_000_000);
  });
});

describe('what is made up', () => {
  it('is the same for the same id, wherever it stands', () => {
    const { videoId, url, channel, bare, uploads } = made({
      videoId: 'abcDEF12_-x',
      url: 'https://www.youtube.com/watch?v=abcDEF12_-x&lang=en',
      channel: 'UCabcdefghijklmnopqrstuv',
      bare: 'abcdefghijklmnopqrstuv',
      uploads: 'VLUUabcdefghijklmnopqrstuv',
    });
    expect(videoId).toMatch(/^[a-z]{3}[A-Z]{3}\d\d_-[a-z]$/);
    expect(url).toBe(`https://www.youtube.com/watch?v=${videoId}&lang=en`);
    expect([channel, uploads]).toEqual([`UC${bare}`, `VLUU${bare}`]);
  });

  it('keeps the length, the script and the marks of a text, and none of its words', () => {
    const { title = '' } = made({ title: 'Hello “World” 42 — שלום & 你好 🎉' });
    expect(title).toMatch(
      /^[A-Z][a-z]{4} “[A-Z][a-z]{4}” \d\d — \p{Script=Hebrew}{4} & \p{Script=Han}{2} 🎉$/u,
    );
    expect(title).not.toMatch(/Hello|World|42|שלום|你|好/);
  });

  it('leaves words of the protocol, counts and the words by which a refusal is recognised', () => {
    const answer = {
      status: 'LOGIN_REQUIRED',
      reason: 'This video is private',
      languageCode: 'zh-Hans',
      vssId: '.en-US.secretName1',
      viewCountText: { simpleText: '1,862 views' },
      published: '2026-01-22T15:01:42+00:00',
    };
    const { reason, vssId, published, ...rest } = made(answer);
    expect(rest).toEqual({
      status: 'LOGIN_REQUIRED',
      languageCode: 'zh-Hans',
      viewCountText: answer.viewCountText,
    });
    expect([reason, published]).toEqual([expect.stringContaining('private'), '2025-12-16T11:56:11+00:00']);
    expect(vssId).toMatch(/^\.en-US\.(?!secretName1)[a-zA-Z]{10}\d$/);
  });

  it('never is a word of the original, not even of another place', () => {
    const first = createReplacer(new Set())('someone');
    expect(createReplacer(new Set([first]))('someone')).not.toBe(first);
  });

  it('of a list is the first of each kind, and the last, which may lead on', () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ row: { id } }));
    const shelf = { shelf: {} };
    const more = { more: {} };
    expect(pruned([...rows, shelf, more])).toEqual([...rows.slice(0, 3), shelf, more]);
  });

  it('of XML are the texts and attributes, with references as they are', () => {
    const xml =
      '<text start="1.5" dur="2">that&#39;s &lt;i>mine&lt;/i></text><p href="https://x.example/abcdef"/>';
    expect(replacedXml(xml, replace)).toMatch(
      /^<text start="1.5" dur="2">[a-z]{4}&#39;[a-z] &lt;i>[a-z]{4}&lt;\/i><\/text><p href="https:\/\/[a-z]\.[a-z]{7}\/[a-z]{6}"\/>$/,
    );
  });
});

const recorded = answerSources.find(({ name }) => name === 'recorded');

(recorded === undefined ? describe.skip : describe)('beside the recorded answers', () => {
  it('no word, name, id or link of theirs is in the derived ones, and these are what the script writes', () => {
    const fresh = deriveAll(recorded!);
    expect(survivors(recorded!, fresh)).toEqual([]);
    expect(
      fresh
        .filter(({ path, text }) => readFileSync(join(derivedFolder, path), 'utf8') !== text)
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it('a word that survives is found', () => {
    const { title } = recorded!.reading('player/nine-tracks');
    expect(survivors(recorded!, [{ path: 'x', text: JSON.stringify({ title }) }])).not.toEqual([]);
  });
});
