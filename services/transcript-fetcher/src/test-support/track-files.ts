import type { Cue } from '@tds/contracts';
import type { CaptionReader } from '@tds/video-platform';
import { makeTrack, renderStored } from '../tracks/make-track.ts';
import type { TrackFiles } from '../tracks/track-files.ts';

/** For tracks of a few cues, which need no thread. */
export const filesOnTheLoop: TrackFiles = {
  make: (body, request) => makeTrack({ body, request }),
  render: (cues, request) => renderStored({ cues, request }),
  runInThread: () => Promise.reject(new Error('no threads')),
  stop: async () => {},
};

/** Captions in the platform's wire format. */
export const toCaptionBody = (cues: readonly Cue[]): string =>
  JSON.stringify({
    events: cues.map(({ startMs, durationMs, text }) => ({
      tStartMs: startMs,
      dDurationMs: durationMs,
      segs: [{ utf8: text }],
    })),
  });

/** Reads these cues as the platform adapter does. */
export const readWith = async <Value>(read: CaptionReader<Value>, cues: readonly Cue[]): Promise<Value> => {
  const reading = await read(toCaptionBody(cues), new AbortController().signal);
  if (reading.kind === 'refused') throw new Error(`the captions were refused: ${reading.refusal.row}`);
  return reading.value;
};
