import type { Cue } from '@tds/contracts';
import { broken, type Refusal, RefusedAnswer, refusal } from '../classification/refusal.ts';
import { verdicts } from '../classification/verdict.ts';
import { bounds } from '../config/bounds.ts';
import { isTooDense, MARKUP } from '../too-dense.ts';
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
  if (isTooDense(text, MARKUP, bounds.marks)) throw new RefusedAnswer(refusal('too_dense', verdicts.odd));
  const raw = read(text);
  return { cues: finishCues(raw), omitted: raw.omitted };
};

/** What became of a caption body: plain data, so that it may come from another thread. */
export type CaptionReading<Value> =
  | { readonly kind: 'read'; readonly value: Value; readonly omitted: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Makes of a caption body what its caller wants. A signal that fires ends the work; nobody needs its result any more. */
export type CaptionReader<Value> = (body: string, signal: AbortSignal) => Promise<CaptionReading<Value>>;

/** Reads a caption body; never throws. */
export const readCaptions = (body: string): CaptionReading<readonly Cue[]> => {
  try {
    const { cues, omitted } = readCaptionBody(body);
    return { kind: 'read', value: cues, omitted };
  } catch (thrown) {
    const isRefused = thrown instanceof RefusedAnswer;
    return { kind: 'refused', refusal: isRefused ? thrown.refusal : broken('garbage', { cause: thrown }) };
  }
};

/** The cues themselves, read where the call is made. */
export const cuesOf: CaptionReader<readonly Cue[]> = async (body) => readCaptions(body);

/** A body whose reading took more than a reader is given. It may be this video's doing, so no route is judged by it. */
export const costlyCaptions: CaptionReading<never> = {
  kind: 'refused',
  refusal: refusal('too_costly', verdicts.odd),
};
