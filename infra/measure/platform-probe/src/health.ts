import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { table } from './print.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = { readonly name: string; readonly labels: Labels; readonly value: number };

/** What an instance says of its ways to the platform. */
export type InstanceHealth = { readonly instance: string; readonly samples: readonly Sample[] };

const WANTED =
  /^tds_(?:circuit_open|circuit_failed_seconds|canary_checks_total|po_token_circuit_open|po_token_calls_total|strategies_refused|platform_sessions_total|platform_bytes_total)$/;
const LINE = /^([a-z_]+)(?:\{([^}]*)\})? (\S+)$/;

/** The samples about the platform in the text of Prometheus. */
export const samplesIn = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name = '', list = '', value = ''] = LINE.exec(line) ?? [];
    if (!WANTED.test(name)) return [];
    const labels = Object.fromEntries(
      [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', word = '']) => [label, word]),
    );
    return [{ name, labels, value: Number(value) }];
  });

type TargetGroup = { readonly targets: readonly string[]; readonly labels: { readonly service: string } };

/** `npm start` writes it for Prometheus. */
const TARGETS = 'scrape-targets.json';
const SERVICES = ['transcript-fetcher', 'search', 'monitor-scheduler'];

/** The private addresses of the services that ask the platform, of a run with these data. */
const addressesOn = async (dataDir: string): Promise<string[]> => {
  const text = await readFile(path.join(dataDir, TARGETS), 'utf8').catch(() => {
    throw new Error(
      'Start the service first (npm start), or name its private addresses: --instances <url...>',
    );
  });
  return (JSON.parse(text) as TargetGroup[])
    .filter(({ labels }) => SERVICES.includes(labels.service))
    .flatMap(({ targets }) => targets.map((target) => `http://${target}`));
};

const MAX_WAIT_MS = 5_000;

const readInstance = async (address: string): Promise<InstanceHealth> => {
  const url = new URL('/metrics', address);
  const response = await fetch(url, { signal: AbortSignal.timeout(MAX_WAIT_MS) }).catch(() => null);
  if (!response?.ok) throw new Error(`${url.origin} does not answer. Is the service still running?`);
  return { instance: url.host, samples: samplesIn(await response.text()) };
};

/** Asks the named instances, else those of `npm start` on these data. Throws what to do if none answers. */
export const readHealth = async (
  dataDir: string,
  instances: readonly string[],
): Promise<readonly InstanceHealth[]> => {
  const addresses = instances.length > 0 ? instances : await addressesOn(dataDir);
  return Promise.all(addresses.map(readInstance));
};

const isOpen = ({ name, value }: Sample): boolean => name === 'tds_circuit_open' && value === 1;
const isCircuit = ({ name }: Sample): boolean => name === 'tds_circuit_open';

/** False if each way of each instance is given up. */
export const isServing = (instances: readonly InstanceHealth[]): boolean => {
  const circuits = instances.flatMap(({ samples }) => samples.filter(isCircuit));
  return circuits.length === 0 || circuits.some((sample) => !isOpen(sample));
};

const routeRows = ({ instance, samples }: InstanceHealth): (readonly string[])[] =>
  samples.filter(isCircuit).map((circuit) => {
    const { strategy = '', exit = '' } = circuit.labels;
    const failed = samples.find(
      ({ name, labels }) =>
        name === 'tds_circuit_failed_seconds' && labels.strategy === strategy && labels.exit === exit,
    );
    const since = failed === undefined ? 'never' : `${Math.round(failed.value)} s ago`;
    return [instance, exit, strategy, isOpen(circuit) ? 'given up' : 'used', since];
  });

const otherRows = ({ instance, samples }: InstanceHealth): (readonly string[])[] =>
  samples
    .filter(({ name }) => !name.startsWith('tds_circuit'))
    .map(({ name, labels, value }) => [
      instance,
      name,
      Object.entries(labels)
        .filter(([label]) => label !== 'service')
        .map(([label, word]) => `${label}=${word}`)
        .join(' '),
      `${value}`,
    ]);

export const printHealth = (instances: readonly InstanceHealth[]): string =>
  [
    table([['INSTANCE', 'EXIT', 'STRATEGY', 'CIRCUIT', 'LAST FAILED'], ...instances.flatMap(routeRows)]),
    table([['INSTANCE', 'METRIC', 'OF', 'VALUE'], ...instances.flatMap(otherRows)]),
  ].join('\n\n');
