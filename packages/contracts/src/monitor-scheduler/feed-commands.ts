import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { monitorId, time, uuid } from '../ids.ts';
import { MAX_LISTED_MONITORS, monitor } from '../monitor.ts';

/** For feed readers: the matches or videos of a monitor, or all matches. Its id is new with each address, which the gateway derives from it. */
export const readerFeed = z.object({
  id: uuid,
  monitor_id: monitorId.nullable().describe('null: the matches of all monitors'),
  created_at: time.describe('When it got its address'),
});
const ofAccount = { accountId: uuid, monitorId: monitorId.nullable() };

export const feedCommands = commands({
  listFeeds: {
    request: z.object({ accountId: uuid }),
    reply: z.object({ feeds: z.array(readerFeed).max(2 * MAX_LISTED_MONITORS) }),
  },

  /** Creates a feed, gives it a new id, or ends it. */
  changeFeed: {
    request: z.object({ ...ofAccount, isEnded: z.boolean() }),
    reply: z.object({ feed: readerFeed.nullable() }),
    errors: ['monitor_not_found'],
  },

  /** Throws `feed_not_found` also if its account is frozen or closed. */
  getFeed: {
    request: z.object({ feedId: uuid }),
    reply: z.object({ accountId: uuid, feed: readerFeed, monitor: monitor.nullable() }),
    errors: ['feed_not_found'],
  },
});

/** Only this service listens, after a restore. */
export const readerFeedChanged = {
  payload: z.object({ ...ofAccount, feedId: uuid.nullable(), changedAt: time }),
};
