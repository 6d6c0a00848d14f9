import type { CueStyle } from '../catalogue/video.ts';
import { type SpecialRow, transcript } from './special-video.ts';

const styled = (id: string, behaviour: string, cueStyle: CueStyle, note?: string): SpecialRow => ({
  id,
  behaviour,
  expect: transcript(note),
  video: { cueStyle, lengthSeconds: 90 },
});

const DAY_LONG_SECONDS = 25 * 3600;

/** Texts and lengths that break writers of subtitles. */
export const textRows: readonly SpecialRow[] = [
  {
    id: 'dayLong_001',
    behaviour: '25 hours, about 30,000 cues, more than 1 MB',
    expect: transcript(),
    video: { lengthSeconds: DAY_LONG_SECONDS },
  },
  styled('oneCue_0001', 'a single cue', 'one'),
  styled('cueArrow_01', 'cue texts with `-->`', 'arrow'),
  styled('cueMarkup01', 'cue texts with `<b>` and lone angle brackets, meant literally', 'markup'),
  styled('cueAmp_0001', 'cue texts with `&amp;`, `&` and `&#39;`, meant literally', 'ampersand'),
  styled('cueBlank_01', 'cue texts with a blank line inside', 'blank-lines'),
  styled(
    'cueZwsp_001',
    'every cue padded with U+200B, and some of nothing else',
    'padded',
    'padding and empty cues are gone',
  ),
  styled('karaoke_001', 'styled srv3, padded and not in order of time', 'karaoke', 'cues in order of time'),
];
