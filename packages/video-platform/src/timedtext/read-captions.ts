import type { Cue } from '@tds/contracts';
import { broken, RefusedAnswer, refusal } from '../classification/refusal.ts';
import { verdicts } from '../classification/verdict.ts';
import { bounds } from '../config/bounds.ts';
import { isTooDense } from '../too-dense.ts';
import { finishCues, type RawCaptions } from './cues.ts';
import { readJson3 } from './json3.ts';
import { readXml } from './xml.ts';

const readers: Readonly<Record<string, (body: string) => RawCaptions>> = { '{': readJson3, '<': readXml };

/** Reads a caption body by what it is, not by what was asked for. Throws RefusedAnswer, or whatever a parser throws. */
export const readCaptionBody = (
  body: string,
): { readonly cues: readonly Cue[]; readonly omitted: number } => {
  const text = body.replace(/^\ufeff/, '').trimStart();
  const read = readers[text.charAt(0)];
  if (read === undefined) throw new RefusedAnswer(broken('not_captions'));
  if (isTooDense(text, bounds.marks)) throw new RefusedAnswer(refusal('too_dense', verdicts.odd));
  const raw = read(text);
  return { cues: finishCues(raw), omitted: raw.omitted };
};
