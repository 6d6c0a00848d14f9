import { each, onSchedule, walk } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { resealSecret, type StoredSecret, secretsAfter } from '../store/secrets.ts';

/** After a rotation of the key ring nothing is left for the old key to open. */
export const resealSecrets = onSchedule(async ({ db, seals }: Pick<Deps, 'db' | 'seals'>, { signal }) => {
  await walk<StoredSecret>(
    (after) => secretsAfter(db, after),
    each((secret: StoredSecret) => resealSecret(db, seals, secret)),
    signal,
  );
});
