import { databasesOn, openEvidence } from '@tds/audit';
import { createRandom, startScratchSystem } from '#support';
import { type Caller, signUp } from '../callers.ts';
import { compareTimings, type Result } from './distinguishable.ts';
import { prepareLookAlikes } from './look-alikes.ts';
import { measure, WARM_UP } from './measure.ts';

export type TimingRun = {
  readonly seed: number;
  /** Of each side of each pair. */
  readonly samples: number;
  readonly dir: string;
};

/** A session has 120 requests a minute. */
const CALLS_OF_ONE = 100;

/** Starts a system of its own and measures all calls that a caller must not distinguish. */
export const runTiming = async ({ seed, samples, dir }: TimingRun): Promise<Result[]> => {
  const system = await startScratchSystem({ seed, dir, throwaway: true, instances: {} });
  try {
    const target = { gateway: system.gateway, mailbox: system.mail.url };
    const callers: Caller[] = [];
    while (callers.length * CALLS_OF_ONE < 2 * (samples + WARM_UP))
      callers.push(await signUp(target, `caller-${callers.length}@example.com`));
    const { keyId: keyOfAnother } = await signUp(target, 'another@example.com');
    const evidence = openEvidence(databasesOn(system.servers.postgres.url), { atRest: true });
    const place = { gateway: system.gateway, evidence, callers, keyOfAnother };
    const random = createRandom(seed);
    const results: Result[] = [];
    for (const pair of await prepareLookAlikes(place, samples + WARM_UP))
      results.push(compareTimings(await measure(pair, { count: samples, random })));
    return results;
  } finally {
    await system.stop();
  }
};

const ms = (value: number): string => value.toFixed(2);

/** As rows of Markdown. */
export const timingRows = (results: readonly Result[]): string =>
  [
    '| calls | samples of each | medians (ms) | difference (ms) | z | distinguishable |',
    '|---|---|---|---|---|---|',
    ...results.map(
      ({ name, samples, leftMs, rightMs, z, isToldApart }) =>
        `| ${name} | ${samples} | ${ms(leftMs)}, ${ms(rightMs)} | ${ms(leftMs - rightMs)} | ${z.toFixed(1)} | ${isToldApart ? 'YES' : 'no'} |`,
    ),
  ].join('\n');

const [BEGIN, END] = [
  '<!-- timing: written by npm run test:fuzz -- --timing --report -->',
  '<!-- end of timing -->',
];

/** The document with these rows in the place of the last ones. */
export const withTiming = (document: string, results: readonly Result[]): string => {
  const [head = '', rest = ''] = document.split(BEGIN);
  const [, tail = ''] = rest.split(END);
  return `${head}${BEGIN}\n${timingRows(results)}\n${END}${tail}`;
};
