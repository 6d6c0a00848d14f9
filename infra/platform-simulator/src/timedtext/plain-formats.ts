import { encode } from 'html-entities';
import { type CaptionBody, wireCues } from './caption-body.ts';

/** The old XML format encodes its text twice. */
const escapeTwice = (text: string): string => encode(encode(text).replaceAll('&apos;', '&#39;'));

const seconds = (ms: number): string => String(ms / 1000);

/** `fmt=srv1`, also what comes when no format is asked for. */
export const writeSrv1 = (body: CaptionBody): string => {
  const rows = wireCues(body).map(
    (cue) =>
      `<text start="${seconds(cue.startMs)}" dur="${seconds(cue.durationMs)}">${escapeTwice(cue.text)}</text>`,
  );
  return `<?xml version="1.0" encoding="utf-8" ?><transcript>${rows.join('')}</transcript>`;
};

const clock = (ms: number): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  const total = Math.floor(ms / 1000);
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60].map(two);
  return `${parts.join(':')}.${String(ms % 1000).padStart(3, '0')}`;
};

/** `fmt=vtt`: a blank line would end the cue, so it is left out. */
export const writeVtt = (body: CaptionBody): string => {
  const cues = wireCues(body).map((cue) => {
    const text = encode(cue.text, { mode: 'specialChars' }).replace(/\n{2,}/g, '\n');
    return `${clock(cue.startMs)} --> ${clock(cue.startMs + cue.durationMs)}\n${text}\n`;
  });
  return `WEBVTT\nKind: captions\nLanguage: en\n\n${cues.join('\n')}`;
};
