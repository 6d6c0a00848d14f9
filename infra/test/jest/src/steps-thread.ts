import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';

// A thread of its own: what it counts and replaces concerns no test beside it.
const session = new Session();
session.connect();

/** All of the profiler's methods answer at once. */
const ask = (method: string, parameters: object = {}): unknown => {
  let answer: unknown;
  session.post(method, parameters, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
};

type Coverage = {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
};

/** How often blocks ran since the last call. */
const takeBlocks = (): number => {
  const { result } = ask('Profiler.takePreciseCoverage') as Coverage;
  const functions = result.flatMap(({ url, functions }) => (url.startsWith('file:') ? functions : []));
  return functions.reduce((sum, { ranges }) => sum + ranges.reduce((all, { count }) => all + count, 0), 0);
};

let passed = 0;
const size = (value: unknown): number => (value as { length?: number } | null | undefined)?.length ?? 1;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Counts what the methods of the language pass over in their own loops, which are no blocks. */
const countMethods = <Owner extends object>(
  owner: Owner,
  names: readonly (keyof Owner)[],
  length: (self: unknown, result: unknown, from: unknown, args: readonly unknown[]) => number,
): void => {
  for (const name of names) {
    const method = owner[name] as Method;
    owner[name] = function (this: unknown, ...args: unknown[]) {
      const from = (this as { lastIndex?: unknown }).lastIndex ?? args[1];
      const result = Reflect.apply(method, this, args);
      passed += length(this, result, from, args);
      return result;
    } as Owner[keyof Owner];
  }
};

/** From where a search began to what it has found, or to the end. */
const searched = (self: unknown, result: unknown, from: unknown): number =>
  1 + ((result as number) < 0 ? size(self) : (result as number)) - Math.min(Number(from ?? 0), size(self));
const whole = (self: unknown, result: unknown): number => Math.max(size(self), size(result));
const made = (_self: unknown, result: unknown): number => size(result);

countMethods(String.prototype, ['indexOf'], searched);
countMethods(
  String.prototype,
  [
    ...([
      'normalize',
      'toLowerCase',
      'toUpperCase',
      'trim',
      'trimEnd',
      'isWellFormed',
      'toWellFormed',
    ] as const),
    ...(['split', 'includes', 'lastIndexOf', 'localeCompare', 'replaceAll'] as const),
  ],
  whole,
);
countMethods(String.prototype, ['repeat', 'padEnd', 'padStart'], made);
countMethods(Array.prototype, ['indexOf'], searched);
countMethods(
  Array.prototype,
  [
    'includes',
    'lastIndexOf',
    'reverse',
    'toReversed',
    'sort',
    'toSorted',
    'shift',
    'unshift',
    'splice',
    'join',
    'concat',
  ],
  whole,
);
countMethods(Array.prototype, ['slice'], made);
countMethods(JSON, ['parse'], (_self, _result, _from, [text]) => size(text));
countMethods(JSON, ['stringify'], made);
// Methods of texts call it for their patterns once it is replaced.
const { exec } = RegExp.prototype;
RegExp.prototype.exec = function (text) {
  const from = this.global || this.sticky ? this.lastIndex : 0;
  const match = Reflect.apply(exec, this, [text]) as RegExpExecArray | null;
  if (match) passed += 1 + match.index + match[0].length - from;
  else passed += this.sticky ? 1 : 1 + text.length - from;
  return match;
};

const { module } = workerData as { readonly module: string };
ask('Profiler.enable');
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { works } = (await import(module)) as { works: Readonly<Record<string, (input: unknown) => unknown>> };

type Call = { readonly name: string; readonly input: unknown };

parentPort?.on('message', async ({ name, input }: Call) => {
  const work = works[name];
  if (!work) throw new Error(`${module} has no work named ${name}`);
  takeBlocks();
  passed = 0;
  await work(input);
  parentPort?.postMessage(takeBlocks() + passed);
});
