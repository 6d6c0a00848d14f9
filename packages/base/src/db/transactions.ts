import { ExponentialBackoff, fullJitterGenerator, handleWhen, retry } from 'cockatiel';
import type { Pool, PoolClient } from 'pg';
import { isConflict } from './sql.ts';

/** One transaction on a connection of its own. A connection whose rollback fails is thrown away, not put back. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // Without a listener, a connection that dies between two statements would end the process.
  const remember = (error: Error) => {
    broken = error;
  };
  client.on('error', remember);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failed: Error) => {
      broken = failed;
    });
    throw error;
  } finally {
    client.off('error', remember);
    client.release(broken);
  }
}

const MAX_RETRIES = 5;
const FIRST_PAUSE_MS = 20;

const policy = retry(handleWhen(isConflict), {
  maxAttempts: MAX_RETRIES,
  backoff: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, generator: fullJitterGenerator }),
});

/** Runs `work`, and again after a serialization failure or deadlock: at most five more times, with growing random pauses. */
export const retryConflicts = <T>(work: () => Promise<T>): Promise<T> => policy.execute(work);
