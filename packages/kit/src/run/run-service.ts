import { ConfigError, createLog } from '@tds/base/internals';
import { returnMemory } from './return-memory.ts';
import { type RunningService, type StartableService, startService } from './start-service.ts';

const STOPPED_BY_SIGNAL = 0;
const FAILED = 1;
/** Longer than the service's own time limit, to end a stop that hangs. */
export const LAST_RESORT_MS = 20_000;

/**
 * Runs one service as this process until SIGTERM or SIGINT; a second signal exits at once. A service that cannot start
 * ends with exit code 1 and says why.
 */
export const runService = async (
  service: StartableService,
  environment: NodeJS.ProcessEnv,
): Promise<void> => {
  const log = createLog({ service: service.surface.name });
  // Before the service takes work, because it collects all garbage.
  returnMemory();
  const fail = (message: string) => (error: unknown) => {
    log.error(message, error instanceof ConfigError ? { problems: error.problems } : { error });
    process.exit(FAILED);
  };
  process.on('uncaughtException', fail('the process ends: an error was not caught'));
  process.on('unhandledRejection', fail('the process ends: a rejection was not handled'));

  let signals = 0;
  const stopRequested = Promise.withResolvers<void>();
  const onSignal = () => {
    signals += 1;
    if (signals > 1) process.exit(FAILED);
    setTimeout(() => process.exit(FAILED), LAST_RESORT_MS).unref();
    stopRequested.resolve();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);

  const starting = startService(service, environment);
  starting.catch(fail('the service could not start'));
  // A signal during the start must not wait for servers that may never come.
  const running = await Promise.race([starting, stopRequested.promise]);
  if (!running) process.exit(STOPPED_BY_SIGNAL);
  await stopRequested.promise;
  await running.stop();
  process.exit(STOPPED_BY_SIGNAL);
};

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
): Promise<RunningServices> => {
  const results = await Promise.allSettled(
    services.map((service, index) =>
      startService(service, environments[service.surface.name] ?? {}, { processMetrics: index === 0 }),
    ),
  );
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => {
    // The last started first, because it may still call the others.
    for (const service of started.toReversed()) await service.stop();
  };
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) {
    await stop();
    throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'services did not start');
  }
  return {
    addresses: byName(started, (service) => service.addresses),
    services: byName(started, (service) => service),
    stop,
  };
};
