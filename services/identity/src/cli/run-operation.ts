import { randomUUID } from 'node:crypto';
import { type Kit, startService } from '@tds/service-kit';
import { createCoreDeps } from '../create-deps.ts';
import { type OperatorSurface, operatorSurface } from '../surface.ts';
import type { Operation } from './operations.ts';

const idle = { commands: {}, tasks: {}, subscriptions: {}, broadcasts: {}, schedules: {} };

/**
 * Runs one operation with the service's environment and connections, so that its events leave through the outbox.
 * Resolves to the sentence to show.
 */
export const runOperation = async (
  operation: Operation,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string> => {
  const answer = Promise.withResolvers<string>();
  const definition = {
    surface: operatorSurface,
    start: async (kit: Kit<OperatorSurface>, given: NodeJS.ProcessEnv) => {
      answer.resolve(await operation(createCoreDeps(kit, given), words, randomUUID()));
      return idle;
    },
  };
  const quiet = { LOG_LEVEL: 'warn', ...environment, HEALTH_PORT: '0' };
  const running = await startService(definition, quiet);
  await running.stop();
  return answer.promise;
};

/** Shows the sentence and ends the process: with 1 if the operation failed. */
export const runFromShell = async (operation: Operation): Promise<void> => {
  try {
    process.stdout.write(`${await runOperation(operation, process.argv.slice(2), process.env)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
};
