import { afterAll, describe, expect, it } from '@jest/globals';
import { leastCpuMs, proven } from '@tds/jest';
import { renderTranscript } from '@tds/transcript-format';
import { asCaptions, hostileTexts, ordinaryText } from '@tds/transcript-format/testing';
import { withoutHiddenText } from '../assistant/tool-results.ts';
import { newTranscript } from '../test-support/builders.ts';
import { createPassages } from './passages.ts';
import { TranscriptEntry } from './transcript-memory.ts';

const LENGTH = proven(50_000, 1_000_000);
const MAX_TIMES = 12;
const MIN_CPU = 10;

const stops: (() => Promise<void>)[] = [];
const passages = createPassages({ onStop: (_name, stop) => void stops.push(async () => stop()) });
afterAll(() => Promise.all(stops.map((stop) => stop())));

const video = { ...newTranscript('', {}).video, chapters: null };
const filesOf = (text: string) => {
  const language = { delivered: 'en', kind: 'asr' as const };
  const input = { cues: asCaptions(text), video, language };
  return {
    json: Buffer.from(renderTranscript(input, 'words')),
    md: Buffer.from(renderTranscript(input, 'md')),
  };
};

type Files = ReturnType<typeof filesOf>;
const readers: readonly (readonly [string, (files: Files) => unknown])[] = [
  [
    'the reading page and the tool of assistants',
    async ({ json }) => {
      const listed = await passages.list({
        file: json,
        language: 'en',
        video,
        maxCharacters: 700,
        words: false,
      });
      withoutHiddenText(listed.toString());
    },
  ],
  ['an answer in JSON', ({ json }) => new TranscriptEntry(newTranscript('', { format: 'json' }), json).wrapped],
  ['an answer in Markdown', ({ md }) => new TranscriptEntry(newTranscript('', { format: 'md' }), md).wrapped],
];

describe.each(readers)('%s', (_name, read) => {
  it('costs the main thread not much more for hostile captions than for ordinary ones', async () => {
    const ordinary = filesOf(ordinaryText(LENGTH));
    await read(ordinary);
    const baseline = Math.max(MIN_CPU, await leastCpuMs(() => read(ordinary)));
    for (const [what, [make]] of Object.entries(hostileTexts)) {
      const files = filesOf(make(LENGTH));
      const times = (await leastCpuMs(() => read(files), { enoughMs: baseline * MAX_TIMES })) / baseline;
      expect({ what, times: times < MAX_TIMES || times }).toEqual({ what, times: true });
    }
  });
});
