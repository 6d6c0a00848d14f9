import { defineService } from '@tds/service-kit';
import { disownSearch } from './commands/disown-search.ts';
import { listVideos } from './commands/list-videos.ts';
import { resolveChannel } from './commands/resolve-channel.ts';
import { resolveVideos } from './commands/resolve-videos.ts';
import { searchPage } from './commands/search-page.ts';
import { createDeps } from './create-deps.ts';
import { endAbandonedSearches } from './schedules/end-abandoned-searches.ts';
import { purgeOldRows } from './schedules/purge-old-rows.ts';
import { reconcileReservations } from './schedules/reconcile-reservations.ts';
import { surface } from './surface.ts';
import { giveBackSearch } from './tasks/give-back-search.ts';
import { makeListing } from './tasks/make-listing.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { resolveChannel, listVideos, resolveVideos, searchPage, disownSearch },
  tasks: { makeListing, giveBackSearch },
  schedules: { endAbandonedSearches, purgeOldRows, reconcileReservations },
});
