import { createRandom, hashText, type Random } from './random.ts';
import type { CueStyle, Track, Video } from './video.ts';
import { asRecognised, createSpeech, wordGlue } from './words.ts';

/** One cue as a correct reader gets it. */
export type Cue = { startMs: number; durationMs: number; text: string };

type Pace = { gapMs: readonly [number, number]; lengthMs: readonly [number, number] };
type Speech = ReturnType<typeof createSpeech>;
type TextMaker = (index: number, track: Track, random: Random, speech: Speech) => string;

const MANUAL_PACE: Pace = { gapMs: [0, 250], lengthMs: [1200, 4600] };
/** Recognised speech comes in steps; each line stays for two of them, so that lines overlap. */
const SPEECH_PACE: Pace = { gapMs: [0, 0], lengthMs: [1700, 3900] };

const spokenLine: TextMaker = (index, track, random, speech) => {
  if (track.kind === 'asr' && index > 0 && random.percent(3)) return '[Music]';
  const glue = wordGlue(track.languageCode);
  const line = speech.next(random.between(3, 8));
  if (track.kind === 'asr') return asRecognised(line).join(glue);
  const half = Math.ceil(line.length / 2);
  return line.length > 5
    ? `${line.slice(0, half).join(glue)}\n${line.slice(half).join(glue)}`
    : line.join(glue);
};

const around = (make: (line: string, index: number) => string): TextMaker => {
  return (index, _track, _random, speech) => make(speech.next(3).join(' '), index);
};

const textMakers: Record<CueStyle, TextMaker> = {
  plain: spokenLine,
  one: around((line) => line),
  arrow: around((line, index) => `${line} --> 00:00:0${index % 10}.000 -->`),
  markup: around((line) => `<b>${line}</b> a < b > c <i>x</i>`),
  ampersand: around((line) => `${line} &amp; Tom & Jerry &#39;s &lt;3 "quoted"`),
  'blank-lines': around((line) => `${line}\n\n${line}`),
  padded: around((line) => line),
  karaoke: around((line, index) => `${line} ${'♪'.repeat((index % 3) + 1)}`),
};

/** Start times and lengths until the video ends. */
const schedule = (lengthMs: number, pace: Pace, random: Random): { startMs: number; stepMs: number }[] => {
  const slots: { startMs: number; stepMs: number }[] = [];
  let cursor = random.between(80, 900);
  while (cursor < lengthMs) {
    const stepMs = Math.min(random.between(...pace.lengthMs), lengthMs - cursor);
    slots.push({ startMs: cursor, stepMs });
    cursor += stepMs + random.between(...pace.gapMs);
  }
  return slots;
};

/** The canonical cues of a track in its own language, in order of time. */
export const nativeCues = (video: Video, track: Track, seed: number): Cue[] => {
  const random = createRandom(hashText(`${video.id}${track.vssId}`, seed));
  const makeText = textMakers[video.cueStyle];
  const speech = createSpeech(track.languageCode, random);
  const pace = track.kind === 'asr' ? SPEECH_PACE : MANUAL_PACE;
  const slots = schedule(video.lengthSeconds * 1000, pace, random);
  const spans = video.cueStyle === 'one' ? slots.slice(0, 1) : slots;
  return spans.map((slot, index) => ({
    startMs: slot.startMs,
    durationMs: slot.stepMs + (track.kind === 'asr' ? (spans[index + 1]?.stepMs ?? 0) : 0),
    text: makeText(index, track, random, speech),
  }));
};

/** A translation keeps the times; its text is the source's, marked with the language. */
export const translateCues = (cues: readonly Cue[], languageCode: string): Cue[] =>
  cues.map((cue) => ({ ...cue, text: `[${languageCode}] ${cue.text}` }));
