import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A test file that failed in the last run, from the root, with the titles that failed; without a file, what else failed. */
export type Failure = { readonly file: string | null; readonly titles: readonly string[] };

/** Where the processes of a run write them down, a line of JSON each, unless TDS_TEST_FAILURES names another file. */
export const failuresFile = path.resolve(import.meta.dirname, '../../../../.local/test-failures');

type NotedFailure = Failure & {
  /** Names the process that found it. */
  readonly run?: string | undefined;
};

/** Of a run that writes them down. */
export const noteFailure = (failure: NotedFailure): void => {
  const place = process.env.TDS_TEST_FAILURES;
  if (place) appendFileSync(place, `${JSON.stringify(failure)}\n`);
};

export const readFailures = (file = process.env.TDS_TEST_FAILURES || failuresFile): NotedFailure[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as NotedFailure);

type PackageEnd = {
  readonly folder: string;
  readonly run: string;
  /** Null after a signal. */
  readonly code: number | null;
  readonly hasDied: boolean;
};

/** Jest ends with 1 if tests have failed; what ends otherwise has left files unrun, whatever failed before. */
export const noteEnd = ({ folder, run, code, hasDied }: PackageEnd): void => {
  /** A file of this run, and not of another one beside it, has written down why it fails. */
  const hasFailedFile = () => readFailures().some((failure) => failure.run === run);
  if (hasDied) noteFailure({ file: null, titles: [`a worker died in ${folder}`] });
  else if (code !== 0 && (code !== 1 || !hasFailedFile()))
    noteFailure({ file: null, titles: [`the tests of ${folder} did not run to their end`] });
};

/** So many files that fail together are no matter of a busy machine. */
const MAX_REPEATED = 12;

/** Titles that pass only alone, and those that fail the run. */
export type Outcome = { readonly flaky: readonly string[]; readonly red: readonly string[] };

/** Repeats each failed file alone and once. */
export const evaluateFailures = async (
  failures: readonly Failure[],
  passesAlone: (file: string) => Promise<boolean>,
): Promise<Outcome> => {
  const files = failures.flatMap(({ file, titles }) => (file === null ? [] : [{ file, titles }]));
  const other = failures.filter(({ file }) => file === null).flatMap(({ titles }) => titles);
  if (failures.length === 0) return { flaky: [], red: ['the run failed, and no test file says why'] };
  if (files.length > MAX_REPEATED)
    return { flaky: [], red: [`${files.length} files failed: that many are not repeated`, ...other] };
  const flaky: string[] = [];
  const red = [...other];
  for (const { file, titles } of files) {
    const named = titles.length === 0 ? [file] : titles.map((title) => `${file}: ${title}`);
    (await passesAlone(file)) ? flaky.push(...named) : red.push(...named);
  }
  return { flaky, red };
};
