declare module 'webvtt-parser' {
  export type WebVttNode = { readonly value?: string; readonly children?: readonly WebVttNode[] };
  type WebVttCue = { readonly startTime: number; readonly endTime: number; readonly tree: WebVttNode };
  class WebVTTParser {
    constructor(entities: Readonly<Record<string, string>>);
    parse(input: string, mode: 'subtitles'): { cues: WebVttCue[]; errors: unknown[] };
  }
  const webvtt: { readonly WebVTTParser: typeof WebVTTParser };
  export default webvtt;
}

// Its own types use relative paths without extensions, which TypeScript cannot follow in an ES module.
declare module 'media-captions' {
  export type VTTNode = { readonly data?: string; readonly children?: readonly VTTNode[] };
  type VTTCue = { readonly startTime: number; readonly endTime: number; readonly text: string };
  export const parseText: (
    file: string,
    options: { type: 'vtt' | 'srt'; strict?: true },
  ) => Promise<{ cues: VTTCue[] }>;
  export const tokenizeVTTCue: (cue: VTTCue) => VTTNode[];
}
