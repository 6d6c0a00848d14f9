import type { Cue } from '@tds/contracts';
import { broken, RefusedAnswer, refusal } from '../classification/refusal.ts';
import { verdicts } from '../classification/verdict.ts';
import { bounds } from '../config/bounds.ts';
import { finishCues, type RawCaptions } from './cues.ts';
import { readJson3 } from './json3.ts';
import { readXml } from './xml.ts';

const readers: Readonly<Record<string, (body: string) => RawCaptions>> = { '{': readJson3, '<': readXml };

const MARKS: ReadonlySet<number> = new Set([...'{[<&'].map((mark) => mark.charCodeAt(0)));

/** Whether a parser would be busy for seconds; nobody waits for the count of a short body. */
const isTooDense = (body: string): boolean => {
  let left: number = bounds.marks;
  for (let at = 0; body.length - at > left; at += 1) {
    if (MARKS.has(body.charCodeAt(at))) left -= 1;
    if (left < 0) return true;
  }
  return false;
};

/** Reads a caption body by what it is, not by what was asked for. Throws RefusedAnswer, or whatever a parser throws. */
export const readCaptionBody = (
  body: string,
): { readonly cues: readonly Cue[]; readonly omitted: number } => {
  const text = body.replace(/^\ufeff/, '').trimStart();
  const read = readers[text.charAt(0)];
  if (read === undefined) throw new RefusedAnswer(broken('not_captions'));
  if (isTooDense(text)) throw new RefusedAnswer(refusal('too_dense', verdicts.odd));
  const raw = read(text);
  return { cues: finishCues(raw), omitted: raw.omitted };
};
