import { type Answers, derivedPath, readingPath } from '../answers.ts';
import { type AnswerFile, allFiles } from '../files.ts';
import { cutReading } from './cut-reading.ts';
import { fewEvents, KEPT_EVENTS, leavesOf, pruned, replacedIn } from './json.ts';
import { replacedPage, replacedSrt, replacedXml } from './markup.ts';
import { createReplacer, LEAST_LENGTH, type Replace, tokensOf } from './tokens.ts';

export type Derived = { readonly path: string; readonly text: string };

const written = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

/** A derived answer, and as much of it as a reading needs to know. */
const derive = (body: string, { kind }: AnswerFile, replace: Replace): { text: string; answer: unknown } => {
  if (kind === 'html') return { text: replacedPage(body, replace), answer: null };
  if (kind === 'srt') return { text: replacedSrt(body, KEPT_EVENTS, replace), answer: null };
  if (kind === 'xml') return { text: replacedXml(body, replace), answer: null };
  const whole = JSON.parse(body);
  const answer = kind === 'captions' ? fewEvents(whole, KEPT_EVENTS) : pruned(whole);
  return { text: written(replacedIn(answer, replace)), answer };
};

/** A derived answer, and the reading of it where there is one. */
const derivedFiles = (recorded: Answers, file: AnswerFile, replace: Replace): readonly Derived[] => {
  const { text, answer } = derive(recorded.body(file.name), file, replace);
  const own = { path: derivedPath(file), text };
  const reading = recorded.reading(file.name);
  if (reading === undefined) return [own];
  const cut = cutReading(reading, answer, file.kind);
  return [own, { path: readingPath(file), text: written(replacedIn(cut, replace)) }];
};

/** The texts of an answer, as they were recorded. */
const textsOf = (body: string): readonly string[] =>
  body.startsWith('{') ? leavesOf(JSON.parse(body)) : [body];

/** All words, names and ids of the recorded answers that are longer than a few letters. */
export const originalTokens = (recorded: Answers): ReadonlySet<string> =>
  new Set(
    allFiles
      .flatMap(({ name }) => textsOf(recorded.body(name)))
      .flatMap(tokensOf)
      .filter(({ length }) => length >= LEAST_LENGTH),
  );

/** Made-up answers of the structure of those recorded. */
export const deriveAll = (recorded: Answers): readonly Derived[] => {
  const replace = createReplacer(originalTokens(recorded));
  return allFiles.flatMap((file) => derivedFiles(recorded, file, replace));
};
