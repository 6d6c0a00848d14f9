import { search } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { channelOf } from '../application/resolve-channel.ts';
import type { Deps } from '../deps.ts';

export const resolveChannel = onCommand(
  search.resolveChannel,
  async (deps: Deps, { channel, accountId }, context) => ({
    channelId: await channelOf(deps, channel, accountId, context),
  }),
);
