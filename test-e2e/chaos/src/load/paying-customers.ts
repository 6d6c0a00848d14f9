import { urlFor, withClient } from '@tds/servers';
import type { HurtSystem } from '#support';
import { keepDoing } from './keep-doing.ts';

const EVERY_MS = 5_000;

const promoteSql = `
UPDATE accounts SET tier = 'paid', tier_changed_at = now()
WHERE tier = 'free' AND get_byte(uuid_send(id), 0) % 8 <> 0`;

/**
 * Free keys share 5,000 cold fetches a day, which a long run uses up; so seven of eight customers become paying ones,
 * for whom it is the global pool that counts. No event reports it: identity's sweep finds them, as it does when an operator's
 * command dies between its commit and its last step.
 */
export const keepPromoting = ({ postgresOf }: HurtSystem, isOver: () => boolean): { end(): Promise<void> } => {
  const promote = () =>
    withClient(
      urlFor(postgresOf('identity').url, 'identity'),
      async (admin) => void (await admin.query(promoteSql)),
    );
  // The database is among what is being hurt; the next turn finds whom this one missed.
  const running = keepDoing(() => promote().catch(() => {}), EVERY_MS, isOver);
  return { end: () => running };
};
