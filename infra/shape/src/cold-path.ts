import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type CalledFunction, connectInspector } from './inspector.ts';
import { type RunningSystem, withSystem } from './running-system.ts';
import { calledSqlFunctions, countFunctions, forgetCalls, type SqlFunction } from './sql-functions.ts';

const PRODUCT =
  /^(?:services|packages\/(?:contracts|http-api|base|messaging|kit|objects|transcript-format|transcripts|video-platform|reservations|bounded-http))\//;
const GENERATED = '/store/prisma/';
/** The fetcher settles with the ledger after the answer. */
const SETTLED_WITHIN_MS = 3_000;
/** Long enough for every schedule that runs without traffic. */
const IDLE_MS = 15_000;
/** An idle connection reports its function calls within this time. */
const REPORTED_WITHIN_MS = 12_000;

type Calls = { readonly functions: readonly CalledFunction[]; readonly sql: readonly SqlFunction[] };

const startWatch = async ({ inspector, postgres }: RunningSystem) => {
  const session = await connectInspector(inspector);
  await session.startCoverage();
  await countFunctions(postgres);
  const watch = async (work: () => Promise<void>): Promise<Calls> => {
    await forgetCalls(postgres);
    await session.takeCalls();
    await work();
    const functions = (await session.takeCalls()).filter(({ url }) => url.startsWith('file:'));
    await sleep(REPORTED_WITHIN_MS);
    return { functions, sql: await calledSqlFunctions(postgres) };
  };
  return { watch, close: () => session.close() };
};

const keyOf = ({ url, start, end }: CalledFunction): string => `${url} ${start} ${end}`;
const calledIn = ({ functions }: Calls): Set<string> =>
  new Set(functions.filter(({ calls }) => calls > 0).map(keyOf));
const namesIn = ({ sql }: Calls): Set<string> => new Set(sql.map(({ name }) => name));

/** The lines of a file that belong to functions that ran; a nested function that did not run does not count. */
const linesThatRan = (
  file: string,
  functions: readonly CalledFunction[],
  ran: ReadonlySet<string>,
): number => {
  const text = readFileSync(file, 'utf8');
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  const lines = new Set<number>();
  for (const called of functions.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    for (let line = lineAt(called.start); line <= lineAt(called.end); line += 1)
      if (ran.has(keyOf(called))) lines.add(line);
      else lines.delete(line);
  return lines.size;
};

export type PassedFile = { readonly file: string; readonly lines: number };

const passedSources = (root: string, passed: ReadonlySet<string>, { functions }: Calls): PassedFile[] =>
  [...Map.groupBy(functions, ({ url }) => url)]
    .map(([url, inFile]) => ({ url: fileURLToPath(url), inFile }))
    .filter(({ inFile }) => inFile.some((called) => passed.has(keyOf(called))))
    .map(({ url, inFile }) => ({ file: path.relative(root, url), lines: linesThatRan(url, inFile, passed) }))
    .filter(({ file }) => PRODUCT.test(file) && !file.includes(GENERATED));

const passedSql = (passed: ReadonlySet<string>, { sql }: Calls): PassedFile[] =>
  [
    ...Map.groupBy(
      sql.filter(({ name }) => passed.has(name)),
      ({ file }) => file,
    ),
  ].map(([file, inFile]) => ({
    file,
    lines: inFile.reduce((sum, { sql: text }) => sum + text.split('\n').length - 1, 0),
  }));

/**
 * The files of the checkout that hold a function that ran only for one transcript that was not cached, with the lines of these functions.
 * Counts what two such reads have in common, without what runs at rest.
 */
export const coldPath = (root: string): Promise<PassedFile[]> =>
  withSystem(root, async (system) => {
    const read = (videoId: string) => async () => {
      await system.read(videoId);
      await sleep(SETTLED_WITHIN_MS);
    };
    await read('manyLangs01')();
    const { watch, close } = await startWatch(system);
    const idle = await watch(() => sleep(IDLE_MS));
    const [first, second] = [await watch(read('manualEn001')), await watch(read('asrOnlyEn01'))];
    close();
    const inBoth = (of: (calls: Calls) => Set<string>) =>
      of(first).intersection(of(second)).difference(of(idle));
    return [...passedSources(root, inBoth(calledIn), second), ...passedSql(inBoth(namesIn), second)];
  });
