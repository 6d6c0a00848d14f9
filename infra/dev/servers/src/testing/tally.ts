import { appendFileSync, readFileSync } from 'node:fs';

/** What a run starts and makes, for the cost that `npm test` prints at its end. */
export type Counted = 'systems' | 'databases' | 'connections';

const file = (): string | undefined => process.env.TDS_TEST_TALLY;

/** Counts it, from whichever process of the run; outside of `npm test` nothing counts. */
export const tally = (what: Counted, count = 1): void => {
  const place = file();
  if (place) appendFileSync(place, `${what} ${count}\n`);
};

/** What the processes of the run have counted. */
export const readTally = (): Readonly<Record<Counted, number>> => {
  const sums = { systems: 0, databases: 0, connections: 0 };
  const place = file();
  if (!place) return sums;
  for (const line of readFileSync(place, 'utf8').split('\n').filter(Boolean)) {
    const [what, count] = line.split(' ') as [Counted, string];
    sums[what] += Number(count);
  }
  return sums;
};
