import { purgeEach, purgeOlder } from '@tds/base';
import { onSchedule } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { type IndexDeps, indexReceived } from './index-library.ts';
import { findRevived, removeAccount, removeJob, trimLibraries } from './store/library.ts';
import { queueMissed } from './store/library-index.ts';
import { queueOutdated } from './store/outdated-entries.ts';

/** Makes received transcripts searchable, beside the deliveries themselves. */
export const indexLibrary = onSchedule(async (deps: IndexDeps, { signal, record }) => {
  record.add({ indexed: await indexReceived(deps, signal) });
});

/** As many as can be indexed until the next run. */
const MAX_OUTDATED = 5_000;

/** What first searches have missed, and all after an upgrade that reads words by other rules. */
export const reindexLibraries = onSchedule(async ({ pool }: Pick<Deps, 'pool'>, { record }) => {
  record.add({ missed: await queueMissed(pool), outdated: await queueOutdated(pool, MAX_OUTDATED) });
});

/** As long as an operation can end after its account was closed or its job was erased. */
const REMOVAL_RETENTION = '8 days';

/** Of ended ones. The day on which they were made is over by then. */
const LINK_RETENTION = '8 days';

/** Removes what ended after its account or job was gone, and what is beyond the bound of a library. */
export const purgeLibraries = onSchedule(
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { signal, record }) => {
    for (const { id, has_entries: isAccount, has_job: isJob } of await findRevived(db)) {
      if (isAccount) await messaging.transaction(db, (tx) => removeAccount(tx, id));
      if (isJob) await messaging.transaction(db, (tx) => removeJob(tx, id));
    }
    const purges = {
      entries: (limit: number) => trimLibraries(db, limit),
      matches: purgeOlder(db, { table: 'word_matches', age: 'found_at' }, '90 days'),
      links: purgeOlder(db, { table: 'links', age: 'ends_at' }, LINK_RETENTION),
      removals: purgeOlder(db, { table: 'library_removals', age: 'removed_at' }, REMOVAL_RETENTION),
    };
    record.add(await purgeEach(purges, { signal }));
  },
);
