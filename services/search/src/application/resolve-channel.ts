import { expecting } from '@tds/base';
import { CHANNEL_RESOLUTIONS_PER_DAY, secondsToNextUtcDay } from '@tds/contracts';
import { hasCode, serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import { parsePlatformAddress } from '@tds/platform-addresses';
import type { Deps } from '../deps.ts';
import { later, MISSING_NAME_KEPT_MS, NAME_KEPT_MS } from '../domain/durations.ts';
import { takeOfDay } from '../store/day-counts.ts';
import { findChannelName, saveChannelName } from '../store/videos.ts';

const notFound = () =>
  serviceError('source_not_found', { message: 'The platform has no channel of this name.' });

/** Null if the platform has no such channel; throws other errors. */
const askPlatform = ({ discovery }: Deps, name: string, signal: AbortSignal, callerId: string) =>
  discovery
    .resolveChannel(name, { signal, callerId })
    .catch(expecting((error) => hasCode(error, 'source_not_found'), null));

/** Resolves a name to a channel id. Counts towards the account's day, cached or not (specification, part 4). */
export async function resolveChannel(
  deps: Deps,
  name: string,
  accountId: string,
  { signal }: Pick<Context, 'signal'>,
): Promise<string> {
  const { db, now } = deps;
  const allowance = { scope: `resolutions:${accountId}`, limit: CHANNEL_RESOLUTIONS_PER_DAY };
  if (!(await takeOfDay(db, allowance, now()))) {
    throw serviceError('channel_resolution_cap', { retryAfterSeconds: secondsToNextUtcDay(now()) });
  }
  const cached = await findChannelName(db, name, now());
  const channelId = cached ? cached.channelId : await askPlatform(deps, name, signal, accountId);
  if (cached === null) {
    await saveChannelName(db, name, channelId, later(now(), channelId ? NAME_KEPT_MS : MISSING_NAME_KEPT_MS));
  }
  if (channelId === null) throw notFound();
  return channelId;
}

/** Reads an id, a handle or a URL of a channel; an id does not count. Throws `invalid_channel`. */
export async function findChannelId(
  deps: Deps,
  channel: string,
  accountId: string,
  context: Pick<Context, 'signal'>,
): Promise<string> {
  const address = parsePlatformAddress(channel);
  if (address?.kind === 'channel') return address.id;
  if (address?.kind !== 'channel_name') throw serviceError('invalid_channel');
  return resolveChannel(deps, address.name, accountId, context);
}
