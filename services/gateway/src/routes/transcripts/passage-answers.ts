import type { Buffer } from 'node:buffer';
import { PASSAGE_CHARACTERS } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import type { TranscriptEntry } from '../../cache/index.ts';
import { memoize } from '../../domain/memoize.ts';
import { asCompressible, JSON_TYPE } from '../../wire/index.ts';
import { type AnswerTo, createAnswers, type Input, type RouteDeps } from '../serve/index.ts';
import {
  type AnswerCost,
  deliveredAnswer,
  type GetTranscript,
  hitAnswer,
  type TranscriptForm,
} from './transcript-answers.ts';

type PassageChoice = Pick<TranscriptForm, 'passages' | 'passage_characters'>;

/** The fault of a choice of passages; null if it has none. `missing`: what the request has to have beside it. */
const passageFault = (
  { passages, passage_characters: characters }: PassageChoice,
  missing: string | null,
): ServiceError | null => {
  if (!passages && characters !== undefined) {
    return serviceError('invalid_passage_characters', {
      message: 'passage_characters says how long passages are. Send passages=true with it.',
    });
  }
  return passages && missing !== null
    ? serviceError('invalid_passages', { message: `Passages need ${missing}.` })
    : null;
};

/** The most characters of a wanted passage; null if none are wanted. */
export const passageSize = (choice: PassageChoice, missing: string | null): number | null => {
  const fault = passageFault(choice, missing);
  if (fault !== null) throw fault;
  return choice.passages ? (choice.passage_characters ?? PASSAGE_CHARACTERS) : null;
};

const findMissing = ({ format, raw }: TranscriptForm): string | null => {
  if (format !== 'json') return 'format=json';
  return raw ? 'the JSON wrapper, so send no raw=1' : null;
};

/** Front matter is for md only. */
export const frontMatterFault = (wanted: boolean, format: string | undefined): ServiceError | null =>
  wanted && format !== 'md' ? serviceError('invalid_front_matter') : null;

const findFault = (form: TranscriptForm): ServiceError | null =>
  frontMatterFault(form.front_matter, form.format) ?? passageFault(form, findMissing(form));

/** The most characters of a wanted passage; null if none are wanted. Throws the fault of a form. */
export const readPassageSize = (form: TranscriptForm): number | null => {
  const fault = findFault(form);
  if (fault !== null) throw fault;
  return passageSize(form, findMissing(form));
};
export const isFaultyForm = (form: TranscriptForm): boolean => findFault(form) !== null;

const inForm = (entry: TranscriptEntry, { front_matter: isNote }: TranscriptForm): TranscriptEntry =>
  isNote ? entry.noted : entry;

const deliveryAnswers = createAnswers(routes.getTranscript, 200);
type Answer = AnswerTo<GetTranscript>;

export type ReadDeps = Pick<RouteDeps, 'passages' | 'library'>;
type Reader = Pick<Input<GetTranscript>, 'query' | 'principal' | 'isHead'>;

const noteHit = ({ library }: ReadDeps, { principal, isHead }: Reader, entry: TranscriptEntry): void => {
  if (!isHead) library.add(principal.accountId, entry);
};

const passageAnswer = (body: Buffer, delivery: AnswerCost): Answer =>
  asCompressible(deliveryAnswers.composed(JSON_TYPE, body, delivery));
const passageHit = memoize((body: Buffer) => passageAnswer(body, { cache: 'HIT' }));

const wrap = (
  { passages }: ReadDeps,
  { words }: TranscriptForm,
  maxCharacters: number,
  entry: TranscriptEntry,
): Promise<Buffer> => passages.wrap(entry, { maxCharacters, words });

/** The shared answer of cached reads. */
export const answerHit = (deps: ReadDeps, reader: Reader, entry: TranscriptEntry): Answer | Promise<Answer> => {
  const { query: form } = reader;
  const size = readPassageSize(form);
  noteHit(deps, reader, entry);
  return size === null
    ? hitAnswer(inForm(entry, form), form.raw)
    : wrap(deps, form, size, entry).then(passageHit);
};

export const answerDelivered = async (
  deps: ReadDeps,
  reader: Reader,
  entry: TranscriptEntry,
  delivery: AnswerCost,
): Promise<Answer> => {
  const { query: form } = reader;
  const size = readPassageSize(form);
  if (delivery.cache === 'HIT') noteHit(deps, reader, entry);
  return size === null
    ? deliveredAnswer(inForm(entry, form), form.raw, delivery)
    : passageAnswer(await wrap(deps, form, size, entry), delivery);
};
