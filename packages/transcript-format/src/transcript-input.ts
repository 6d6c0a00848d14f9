import type { CaptionKind, Cue, VideoDetails } from '@tds/contracts';

/** What a transcript is rendered from; the cues may be as raw as the platform sent them. */
export type TranscriptInput = {
  readonly cues: readonly Cue[];
  readonly video: VideoDetails;
  readonly language: { readonly delivered: string; readonly kind: CaptionKind };
};
