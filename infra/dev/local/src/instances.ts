import path from 'node:path';
import { serviceNames } from '@tds/provisioning';
import { processEnvironment, workspaceRoot } from '@tds/servers';
import { InvalidArgumentError } from '@tds/servers/command';
import type { ProcessSpec } from './supervisor.ts';

/** Processes by service; one by default. */
export type InstanceCounts = Readonly<Record<string, number>>;

export type Instance = {
  readonly service: string;
  /** `search-2` */
  readonly name: string;
};

const MAX = 8;

const readCount = (text: string): readonly [service: string, count: number] => {
  const [, service = '', count] = /^([a-z-]+)=(\d+)$/.exec(text) ?? [];
  if (!serviceNames.includes(service))
    throw new InvalidArgumentError(`"${text}" is not <service>=<count>. Services: ${serviceNames.join(', ')}.`);
  if (Number(count) < 1 || Number(count) > MAX)
    throw new InvalidArgumentError(`${text}: a service has from 1 to ${MAX} instances.`);
  if (service === 'gateway' && count !== '1')
    throw new InvalidArgumentError('There is one gateway: it has the port that people call.');
  return [service, Number(count)];
};

/** From `transcript-fetcher=2,search=3`. */
export const parseInstanceCounts = (text: string): InstanceCounts => {
  const counts = text.split(',').map(readCount);
  const duplicate = counts.find(([service], index) => counts.findIndex(([name]) => name === service) < index);
  if (duplicate) throw new InvalidArgumentError(`${duplicate[0]} is named twice.`);
  return Object.fromEntries(counts);
};

/** Every instance of every service, callees first. */
export const listInstances = (counts: InstanceCounts): Instance[] =>
  serviceNames.flatMap((service) =>
    Array.from({ length: counts[service] ?? 1 }, (_, index) => ({
      service,
      name: `${service}-${index + 1}`,
    })),
  );

/** Its process, which serves /ready and /metrics on a port of its own. */
export const toProcessSpec = (
  { service, name }: Instance,
  environment: NodeJS.ProcessEnv,
  healthPort: number,
): ProcessSpec => ({
  name,
  command: process.execPath,
  args: [path.join(workspaceRoot, 'services', service, 'src/main.ts')],
  env: { ...processEnvironment(), ...environment, HEALTH_PORT: String(healthPort), INSTANCE_ID: name },
});
