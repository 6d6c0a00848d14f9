import type { ServiceProcess } from './service-process.ts';

const WITHIN_MS = 1_500;

/** The Prometheus text of a process; empty where it does not answer. */
export const readMetrics = async ({ health }: ServiceProcess): Promise<string> => {
  try {
    return await (await fetch(`${health}/metrics`, { signal: AbortSignal.timeout(WITHIN_MS) })).text();
  } catch {
    return ''; // dead or frozen at this moment, which is what happens here
  }
};

/** The sum of a metric over its labels; undefined where the text does not hold it. */
export const sumMetric = (metrics: string, name: string): number | undefined => {
  const lines = metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.length === 0 ? undefined : lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

export const readCounter = async (process: ServiceProcess, name: string): Promise<number | undefined> =>
  sumMetric(await readMetrics(process), name);
