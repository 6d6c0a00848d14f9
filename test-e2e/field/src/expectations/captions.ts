import assert from 'node:assert/strict';
import {
  assertDelivered,
  assertRefused,
  cueTexts,
  delivered,
  type Expectation,
  type Expectations,
  open,
  readFormats,
} from './expect-answer.ts';

const times = /^(\d{2,}:\d{2}:\d{2}[,.]\d{3}) --> (\d{2,}:\d{2}:\d{2}[,.]\d{3})$/gm;
const toMs = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = time.replace(',', '.').split(':').map(Number);
  return Math.round((hours * 3_600 + minutes * 60 + seconds) * 1_000);
};
const pairsOf = (text: string): [number, number][] =>
  [...text.matchAll(times)].map(([, start = '', end = '']) => [toMs(start), toMs(end)]);

const assertEachEndsAfterItsStart = (...texts: string[]): void => {
  for (const text of texts)
    for (const [start, end] of pairsOf(text)) assert.ok(end > start, `a cue from ${start} to ${end}`);
};

/** The right text, or an error that costs nothing. */
const textOrRefusal =
  (videoId: string, text: string): Expectation =>
  async (player) => {
    const answer = await player.read(videoId, { format: 'clean' });
    if (answer.status === 200) assert.match(answer.body.text, new RegExp(text));
    else assertRefused(answer);
  };

const countsCues =
  (videoId: string, count: number): Expectation =>
  async (player) => {
    const [json, srt, vtt] = await readFormats(player, videoId, ['srt', 'vtt']);
    assert.equal(json.body.cues.length, count);
    for (const text of [srt, vtt]) assert.equal(pairsOf(String(text)).length, count);
  };

export const captions: Expectations = {
  'c01-past-24h': async (player) => {
    const [json, srt = ''] = await readFormats(player, 'fc01late_01', ['srt']);
    assert.match(srt, /23:59:56,000 --> 24:00:04,000/);
    assert.match(srt, /100:00:00,000/);
    assert.ok(json.body.cues.some((cue: object) => 'start' in cue && cue.start === 86_396));
  },
  'c02-seconds-60': async (player) => {
    const [, srt = '', vtt = ''] = await readFormats(player, 'fc02round_0', ['srt', 'vtt']);
    for (const text of [srt, vtt]) {
      assert.match(text, /00:01:00/);
      assert.match(text, /01:00:00/);
      assert.doesNotMatch(text, /:60/);
    }
  },
  'c03-srv3-nan': async (player) => {
    const [json, srt = '', vtt = ''] = await readFormats(player, 'fc03srv3_01', ['srt', 'vtt']);
    assert.equal(json.body.cues.length, 3);
    assert.doesNotMatch(srt + vtt, /NaN/);
    assertEachEndsAfterItsStart(srt, vtt);
  },
  'c04-zero-duration': async (player) => {
    const [json, srt = '', vtt = ''] = await readFormats(player, 'fc04zero_01', ['srt', 'vtt']);
    assert.equal(json.body.cues.length, 6);
    assertEachEndsAfterItsStart(srt, vtt);
  },
  'c05-ms-digits': async (player) => {
    const [, srt = '', vtt = ''] = await readFormats(player, 'fc05ms_0123', ['srt', 'vtt']);
    for (const text of [srt, vtt]) assert.doesNotMatch(text, /[,.]\d{4,} -->|[,.]\d{1,2} -->/);
  },
  'c06-blank-lines': async (player) => {
    const [json, srt = '', vtt = ''] = await readFormats(player, 'fc06blank_0', ['srt', 'vtt']);
    assert.equal(json.body.cues.length, 4);
    for (const text of [srt, vtt]) assert.equal(pairsOf(text).length, 4);
    for (const text of cueTexts(json)) assert.doesNotMatch(text, /\n\s*\n/);
    const words = cueTexts(json).join('\n').split(/\s+/);
    for (const word of ['after', 'blank', 'lone', 'vt', 'ff', 'nel', 'trailing'])
      assert.ok(words.includes(word), word);
  },
  'c08-markup-in-text': async (player) => {
    const [json, srt = '', vtt = '', md = ''] = await readFormats(player, 'fc08tags_01', ['srt', 'vtt', 'md']);
    assert.ok(cueTexts(json).includes('<script>alert(1)</script>'));
    assert.match(vtt, /&lt;script&gt;|&lt;script>/);
    assert.doesNotMatch(srt, /<(?:i|b|font|script)\b/);
    assert.doesNotMatch(md, /(?<!\\)<(?:i|b|font|script)\b/);
  },
  'c12-entities-srv1': async (player) => {
    const [json] = await readFormats(player, 'fc12srv1_01', []);
    assert.equal(cueTexts(json)[0], "it's & you’re");
    assert.equal(cueTexts(json)[1], 'italic <b> grey');
  },
  'c13-xml-controls': open('fc13ctl_012'),
  'c13b-xml-raw-control': open('fc13raw_012'),
  'c13c-xml-charref': open('fc13ref_012'),
  'c13d-xml-bare-amp': open('fc13amp_012'),
  'c14-bad-utf8': async (player) => {
    const [json] = await readFormats(player, 'fc14utf_012', []);
    assert.match(String(cueTexts(json)[0]), /^ok \uFFFD/);
  },
  'c14b-utf16': textOrRefusal('fc14u16_012', 'sixteen'),
  'c15-json-prefix': delivered('fc15bom_012'),
  'c16-20-hours': countsCues('fc16day_012', 36_000),
  'c17-big-asr': countsCues('fc17big_012', 40_000),
  'c18-one-huge-cue': open('fc18huge_01'),
  'c19-missing-start': async (player) => {
    const [json] = await readFormats(player, 'fc19str_012', []);
    assert.deepEqual(json.body.cues.map(({ start }: { start: number }) => start).sort(), [0, 1, 3]);
  },
  'c19b-first-without-start': async (player) => {
    const [json] = await readFormats(player, 'fc19nost_01', []);
    assert.equal(json.body.cues.length, 6);
    assert.equal(json.body.cues[0].start, 0);
  },
  'c20-md-text': async (player) => {
    const [, md = ''] = await readFormats(player, 'fc20asr_012', ['md']);
    assert.doesNotMatch(md, /(?<!\\)\[link\]\(|^# head|^> quote|(?<!\\)<!--/m);
  },
  'c21-html-as-captions': async (player) => assertRefused(await player.read('fc21html_01')),
  'c22-vtt-body': textOrRefusal('fc22vtt_012', 'hello'),
  'c23-srv2-ttml': textOrRefusal('fc23srv2_01', 'srv two'),
  'c26-ass-tags': open('fc26_012345'),
  'c42-one-event': async (player) => {
    const [json, srt = ''] = await readFormats(player, 'g7c42_00001', ['srt']);
    assert.match(cueTexts(json).join(' '), /word0\b.*\bword79\b/s);
    assertEachEndsAfterItsStart(srt);
  },
  'c28-last-no-duration': async (player) => {
    const [json, srt = '', vtt = ''] = await readFormats(player, 'fc28_012345', ['srt', 'vtt']);
    assert.equal(json.body.cues.length, 2);
    assertEachEndsAfterItsStart(srt, vtt);
  },
  canary: async (player) => {
    for (const end of ['1', '2', '3', '4']) assertDelivered(await player.read(`fcanary000${end}`));
  },
};
