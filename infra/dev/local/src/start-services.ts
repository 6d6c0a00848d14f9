import { reasonText } from '@tds/base';
import { ConfigError } from '@tds/base/internals';
import { type RunningService, type StartableService, type StartOptions, startService } from '@tds/kit';

export type RunningServices = {
  /** By service: `health`, and the addresses that the service announced. */
  readonly addresses: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly services: Readonly<Record<string, RunningService>>;
  stop(): Promise<void>;
};

const byName = <T>(
  services: readonly RunningService[],
  pick: (service: RunningService) => T,
): Record<string, T> => Object.fromEntries(services.map((service) => [service.name, pick(service)]));

/** Starts several services in this process, callees first, each with its own environment by name. If one fails, stops the others. */
export const startServices = async (
  services: readonly StartableService[],
  environments: Readonly<Record<string, NodeJS.ProcessEnv>>,
  { records }: Pick<StartOptions, 'records'> = {},
): Promise<RunningServices> => {
  const results = await Promise.allSettled(
    services.map((service, index) => {
      const { name } = service.surface;
      const options = { processMetrics: index === 0, records };
      const starting = startService(service, environments[name] ?? {}, options);
      return starting.catch((cause: unknown) => {
        throw cause instanceof ConfigError
          ? cause
          : new Error(`${name} could not start: ${reasonText(cause)}`, { cause });
      });
    }),
  );
  const runningServices = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    // The last started first, because it may still call the others.
    for (const service of runningServices.toReversed()) await service.stop();
  };
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) {
    await stop();
    throw new AggregateError(failures, failures.map(({ message }: Error) => message).join('\n'));
  }
  return {
    addresses: byName(runningServices, (service) => service.addresses),
    services: byName(runningServices, (service) => service),
    stop,
  };
};
