import { RefusedAnswer, refusal } from './classification/refusal.ts';
import { verdicts } from './classification/verdict.ts';
import { bounds } from './config/bounds.ts';
import { isTooDense, JSON_MARKS } from './too-dense.ts';

/** The JSON of an answer. Throws RefusedAnswer for what would keep the parser busy, and the parser's error for what is none. */
export const parseAnswer = (body: string): unknown => {
  if (isTooDense(body, JSON_MARKS, bounds.answerMarks))
    throw new RefusedAnswer(refusal('too_dense', verdicts.odd));
  return JSON.parse(body);
};
