import { type Cue, unknownVideo, type VideoDetails } from '@tds/contracts';
import type { TranscriptInput } from '../cues.ts';

export const cue = (startMs: number, durationMs: number, text: string): Cue => ({
  startMs,
  durationMs,
  text,
});

export const video: VideoDetails = {
  ...unknownVideo('GJLlxj_dtq8'),
  title: 'Title',
  channel_id: 'UCTwECeGqMZee77BjdoYtI2Q',
  channel_title: 'Channel',
  published_at: '2024-05-01T23:30:00Z',
  duration: 3723,
};

export const inputOf = (...cues: Cue[]): TranscriptInput => ({
  cues,
  video,
  language: { delivered: 'en', kind: 'asr' },
});
