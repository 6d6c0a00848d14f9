import { Announced, AnswerTooLarge } from '@tds/bounded-http';
import { broken, type Refusal, RefusedAnswer, refusal } from '../classification/refusal.ts';
import { type Verdict, verdicts } from '../classification/verdict.ts';
import { UnknownEncoding } from '../transport/decompress.ts';

const codeOf = (thrown: unknown): string => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return typeof code === 'string' ? code : '';
};

type FailureRow = {
  readonly name: string;
  readonly when: (thrown: unknown, isLate: boolean) => boolean;
  readonly verdict: Verdict;
};

/** Why an exchange ended without an answer that can be read. */
const failureRows: readonly FailureRow[] = [
  {
    name: 'too_large',
    when: (thrown) => thrown instanceof AnswerTooLarge || thrown instanceof Announced,
    verdict: verdicts.broken,
  },
  { name: 'unknown_encoding', when: (thrown) => thrown instanceof UnknownEncoding, verdict: verdicts.broken },
  {
    name: 'timeout',
    when: (thrown, isLate) => isLate || /TIMEOUT|ETIMEDOUT/.test(codeOf(thrown)),
    verdict: verdicts.unreachable,
  },
  {
    name: 'damaged_compression',
    when: (thrown) => /^Z_|^ERR__?ERROR_FORMAT|^ERR_BROTLI/.test(codeOf(thrown)),
    verdict: verdicts.broken,
  },
  {
    name: 'network',
    when: (thrown) => /^(?:UND_ERR|E[A-Z]|ERR_)/.test(codeOf(thrown)),
    verdict: verdicts.unreachable,
  },
];

/** Any thrown value as a refusal: known ones by name, the rest as an answer that nobody can read. */
export const refusalOf = (thrown: unknown, isLate: boolean): Refusal => {
  if (thrown instanceof RefusedAnswer) return thrown.refusal;
  const row = failureRows.find((candidate) => candidate.when(thrown, isLate));
  return row ? refusal(row.name, row.verdict, { cause: thrown }) : broken('garbage', { cause: thrown });
};
