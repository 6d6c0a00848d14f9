import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { readCatalogChars } from './catalog-chars.ts';

export interface EngineConnections {
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  /** What Postgres said to the last script that failed: the engine's own error only counts it. */
  readonly lastError: () => Error | undefined;
  close(): Promise<void>;
}

/**
 * The connections that Prisma's schema engine works through. Its adapter cuts scripts at every semicolon, which tears
 * function bodies apart: here they are sent whole, and a script is one transaction.
 */
export const engineConnections = (databaseUrl: string): EngineConnections => {
  const opened: SqlDriverAdapter[] = [];
  let lastError: Error | undefined;

  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = await new PrismaPg(databaseUrl).connect();
    const pool = adapter.underlyingDriver();
    opened.push(adapter);
    const executeScript = async (script: string): Promise<void> => {
      try {
        await pool.query(script);
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
