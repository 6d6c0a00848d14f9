import type pg from 'pg';

/** For a server that is frozen and never closes. */
const LONGEST_END_MS = 2_000;

/**
 * A pool's own `end()` resolves once every connection was asked to close. If the server stops right after, those that have not
 * closed yet report it as a failure: here `end()` resolves once they are closed.
 */
export const endWithConnections = (pool: pg.Pool): void => {
  const open = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    const ended = new Promise<void>((resolve) => client.once('end', resolve)).then(
      () => void open.delete(ended),
    );
    open.add(ended);
  });
  const end = pool.end.bind(pool);
  const endAll = async (): Promise<void> => {
    await end();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, LONGEST_END_MS);
    await Promise.race([Promise.all(open), late.promise]);
    clearTimeout(timer);
  };
  Object.assign(pool, { end: endAll });
};
