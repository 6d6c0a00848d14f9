import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A test file that failed in the last run, from the root, with the titles that failed; without a file, what else failed. */
export type Failure = { readonly file: string | null; readonly titles: readonly string[] };

/** Where the processes of a run write them down, a line of JSON each. */
export const failuresFile = path.resolve(import.meta.dirname, '../../../../.local/test-failures');

/** Of a run that writes them down. `run` names the process that found it. */
export const noteFailure = (failure: Failure & { readonly run?: string | undefined }): void => {
  const place = process.env.TDS_TEST_FAILURES;
  if (place) appendFileSync(place, `${JSON.stringify(failure)}\n`);
};

/** Of a package's run that has ended: whether a file of it, and not of another one beside it, has written down why it fails. */
const hasFailedFile = (run: string): boolean => readFileSync(failuresFile, 'utf8').includes(`"run":"${run}"`);

type PackageEnd = {
  readonly folder: string;
  readonly run: string;
  /** Null after a signal. */
  readonly code: number | null;
  readonly hasDied: boolean;
};

/** Jest ends with 1 if tests have failed; what ends otherwise has left files unrun, whatever failed before. */
export const noteEnd = ({ folder, run, code, hasDied }: PackageEnd): void => {
  if (hasDied) noteFailure({ file: null, titles: [`a worker died in ${folder}`] });
  else if (code !== 0 && (code !== 1 || !hasFailedFile(run)))
    noteFailure({ file: null, titles: [`the tests of ${folder} did not run to their end`] });
};

export const readFailures = (): Failure[] =>
  readFileSync(failuresFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Failure);

/** Titles that failed in a run and passed alone: that is no pass that counts as often as one likes. */
const MAX_FLAKY = 2;
/** So many files that fail together are no matter of a busy machine. */
const MAX_REPEATED = 12;

export type Outcome = { readonly flaky: readonly string[]; readonly red: readonly string[] };

/** Repeats each failed file alone; `known` are titles that were flaky in an earlier run. */
export const evaluateFailures = async (
  failures: readonly Failure[],
  known: readonly string[],
  passesAlone: (file: string) => Promise<boolean>,
): Promise<Outcome> => {
  const files = failures.flatMap(({ file, titles }) => (file === null ? [] : [{ file, titles }]));
  const other = failures.filter(({ file }) => file === null).flatMap(({ titles }) => titles);
  if (failures.length === 0) return { flaky: [], red: ['the run failed, and no test file says why'] };
  if (files.length > MAX_REPEATED) return { flaky: [], red: [`${files.length} files failed`, ...other] };
  const flaky: string[] = [];
  const red = [...other];
  for (const { file, titles } of files) {
    const named = titles.length === 0 ? [file] : titles.map((title) => `${file}: ${title}`);
    (await passesAlone(file)) ? flaky.push(...named) : red.push(...named);
  }
  red.push(...flaky.filter((title) => known.includes(title)).map((title) => `flaky again: ${title}`));
  if (flaky.length > MAX_FLAKY) red.push(`${flaky.length} tests pass only alone`);
  return { flaky, red };
};
