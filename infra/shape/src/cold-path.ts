import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { calledFunctions, countFunctions, forgetCalls } from './called-functions.ts';
import { connectInspector } from './inspector.ts';
import { type RunningSystem, withSystem } from './running-system.ts';

const OF_THE_SERVICE = /^(?:services|packages\/(?:contracts|service-kit|transcript-format|video-platform))\//;
const GENERATED = '/store/prisma/';
/** The ledger is told of a delivery after it was answered. */
const TOLD_WITHIN_MS = 3_000;
/** What runs by itself within this time runs for no transcript. */
const IDLE_MS = 15_000;
/** An idle connection says by then which functions it has called. */
const COUNTED_WITHIN_MS = 12_000;

/** Answers what runs, of sources and of functions in databases, from now until something is done. */
const createWatch = async (root: string, { inspector, postgres }: RunningSystem) => {
  const session = await connectInspector(inspector);
  await session.startCoverage();
  await countFunctions(postgres);
  const watch = async (work: () => Promise<void>): Promise<Set<string>> => {
    await forgetCalls(postgres);
    await session.takeCalledFiles();
    await work();
    const called = (await session.takeCalledFiles()).filter((url) => url.startsWith('file:'));
    await sleep(COUNTED_WITHIN_MS);
    const functions = (await calledFunctions(postgres)).map(({ file }) => file);
    return new Set([...called.map((url) => path.relative(root, fileURLToPath(url))), ...functions]);
  };
  return { watch, close: () => session.close() };
};

/** The files of the checkout, relative to it, in which something ran only for one transcript that nobody had fetched before. */
export const coldPath = (root: string): Promise<string[]> =>
  withSystem(root, async (system) => {
    const read = (videoId: string) => async () => {
      await system.read(videoId);
      await sleep(TOLD_WITHIN_MS);
    };
    await read('manyLangs01')();
    const { watch, close } = await createWatch(root, system);
    const idle = await watch(() => sleep(IDLE_MS));
    const [first, second] = [await watch(read('manualEn001')), await watch(read('asrOnlyEn01'))];
    close();
    // What the clock sets off meets one of them at most.
    const passed = [...first.intersection(second).difference(idle)].filter(
      (file) => OF_THE_SERVICE.test(file) && !file.includes(GENERATED),
    );
    return passed;
  });
