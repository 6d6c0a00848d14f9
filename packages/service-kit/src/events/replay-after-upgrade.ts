import type { Pool } from 'pg';
import { replayDeadLetter } from './dead-letters.ts';

const AT_ONCE = 100;

/**
 * What another release has given up and this one has not, oldest first. Not what others have seen the attempts of: whether a
 * stranger is called again, a person decides.
 */
const GIVEN_UP_BY_OTHERS = `
  SELECT id FROM messaging.dead_letters AS letter
  WHERE replayed_at IS NULL AND release <> nullif(current_setting('tds.release', true), '')
    AND NOT EXISTS (
      SELECT FROM messaging.dead_letters AS own
      WHERE own.source = letter.source AND own.message_id = letter.message_id
        AND own.release = current_setting('tds.release', true))
    AND NOT EXISTS (
      SELECT FROM messaging.tasks WHERE tasks.id = letter.message_id AND effect_attempt IS NOT NULL)
  ORDER BY id LIMIT ${AT_ONCE}`;

/**
 * Gives what an older release could not do to this one, once. Resolves to how many; none where no `RELEASE` is set. An instance
 * of the older release may still take one of them: then it is given up by that one again, and comes back.
 */
export const replayAfterUpgrade = async (pool: Pool, signal: AbortSignal): Promise<number> => {
  const { rows } = await pool.query<{ id: string }>(GIVEN_UP_BY_OTHERS);
  let replayed = 0;
  for (const { id } of rows) {
    if (signal.aborted) return replayed;
    if (await replayDeadLetter(pool, id)) replayed += 1;
  }
  return replayed;
};
