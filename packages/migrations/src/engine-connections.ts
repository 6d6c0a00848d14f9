import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { readCatalogChars } from './catalog-chars.ts';
import { isConcurrent, type Patience, runConcurrently, runInTransaction } from './run-script.ts';

export interface EngineConnections {
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  /** What Postgres said to the last script that failed: the engine's own error only counts it. */
  readonly lastError: () => Error | undefined;
  close(): Promise<void>;
}

/**
 * The connections that Prisma's schema engine works through. Its adapter cuts scripts at every semicolon, which tears
 * function bodies apart: here they are sent whole, and a script is one transaction unless it says that it runs concurrently.
 */
export const engineConnections = (databaseUrl: string, patience: Patience): EngineConnections => {
  const opened: SqlDriverAdapter[] = [];
  let lastError: Error | undefined;

  const connect = async (): Promise<SqlDriverAdapter> => {
    const { lockTimeoutMs } = patience;
    const config = { connectionString: databaseUrl, lock_timeout: lockTimeoutMs };
    const adapter = await new PrismaPg(config).connect();
    const pool = adapter.underlyingDriver();
    opened.push(adapter);
    const executeScript = async (script: string): Promise<void> => {
      try {
        if (isConcurrent(script)) await runConcurrently(databaseUrl, script);
        else await runInTransaction(pool, script, patience);
      } catch (error) {
        lastError = error as Error;
        throw error;
      }
    };
    return readCatalogChars(Object.assign(adapter, { executeScript }), pool);
  };
  const connectToShadowDb = () =>
    Promise.reject(new Error('Migrations are compared without a shadow database'));

  return {
    factory: { provider: 'postgres', adapterName: '@prisma/adapter-pg', connect, connectToShadowDb },
    lastError: () => lastError,
    close: async () => void (await Promise.all(opened.map((connection) => connection.dispose()))),
  };
};
