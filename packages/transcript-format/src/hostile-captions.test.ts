import { describe, expect, it } from '@jest/globals';
import { leastCpuMs, proven } from '@tds/jest';
import { listPassages } from './passage-list.ts';
import { renderTranscript } from './render-transcript.ts';
import { inputOf } from './test-support/cues.ts';
import { asCaptions, hostileTexts, ordinaryText } from './testing/hostile-captions.ts';

const LENGTH = proven(50_000, 1_000_000);
/** What a person says takes so long, at the least, and hostile captions not many times as long. */
const MIN_CPU = 20;
const MAX_TIMES = 12;

const formats = ['json', 'words', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'] as const;
const video = { id: 'abcdefghij0', chapters: [{ start: 1, title: 'One' }] };
const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ...formats.map((format) => {
    const read = (text: string) => renderTranscript(inputOf(...asCaptions(text)), format);
    return [`the format ${format}`, read] as const;
  }),
  ...[200, 8_000].map((size) => {
    const read = (text: string) => {
      const file = renderTranscript(inputOf(...asCaptions(text)), 'words');
      return listPassages(JSON.parse(file), { language: 'en', video }, size);
    };
    return [`passages of ${size} characters`, read] as const;
  }),
];

describe.each(readers)('%s', (_name, read) => {
  it('takes not much longer for hostile captions than for ordinary ones', async () => {
    const ordinary = ordinaryText(LENGTH);
    const baseline = Math.max(MIN_CPU, await leastCpuMs(() => read(ordinary)));
    const enough = { enoughMs: baseline * MAX_TIMES };
    for (const [what, [make]] of Object.entries(hostileTexts)) {
      const text = make(LENGTH);
      const times = (await leastCpuMs(() => read(text), enough)) / baseline;
      expect({ what, times: times < MAX_TIMES || times }).toEqual({ what, times: true });
    }
  });
});
