import { broken, type Refusal, RefusedAnswer } from '../classification/refusal.ts';
import { BodyTooLarge, UnknownEncoding } from '../transport/read-body.ts';

const codeOf = (thrown: unknown): string => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return typeof code === 'string' ? code : '';
};

type FailureRow = { readonly name: string; readonly when: (thrown: unknown, isLate: boolean) => boolean };

/** Why an exchange ended without an answer; all of them are the route's failures. */
const failureRows: readonly FailureRow[] = [
  { name: 'too_large', when: (thrown) => thrown instanceof BodyTooLarge },
  { name: 'unknown_encoding', when: (thrown) => thrown instanceof UnknownEncoding },
  { name: 'timeout', when: (thrown, isLate) => isLate || /TIMEOUT|ETIMEDOUT/.test(codeOf(thrown)) },
  {
    name: 'damaged_compression',
    when: (thrown) => /^Z_|^ERR__?ERROR_FORMAT|^ERR_BROTLI/.test(codeOf(thrown)),
  },
  { name: 'network', when: (thrown) => /^(?:UND_ERR|E[A-Z]|ERR_)/.test(codeOf(thrown)) },
];

/** Any thrown value as a refusal: known ones by name, the rest as an answer that nobody can read. */
export const refusalOf = (thrown: unknown, isLate: boolean): Refusal => {
  if (thrown instanceof RefusedAnswer) return thrown.refusal;
  const row = failureRows.find((candidate) => candidate.when(thrown, isLate));
  return broken(row?.name ?? 'garbage', { cause: thrown });
};
