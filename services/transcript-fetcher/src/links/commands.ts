import { identity, type ReplyOf, transcriptFetcher } from '@tds/contracts';
import { hasCode, serviceError } from '@tds/errors';
import { type CallContext, onCommand, onEvent } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { toDeliveredTranscript } from '../domain/transcript.ts';
import type { ReadDeps } from '../reads/index.ts';
import { findTranscripts, renderAndStore } from '../tracks/index.ts';
import { createLink as create } from './create-link.ts';
import { countOpen, findLink, findLinks, type StoredLink, saveEnd } from './store/links.ts';

/*
 * A link is live from its making until its end, which taking it back moves to that moment, for ever: the event of it is applied again after
 * a restore. While it is live it answers `link_not_found` as long as its account is not active, or the key that made it was revoked at once
 * and its work not passed on, or the account has no longer received its transcript; none of these changes its row.
 */

type StoreDeps = Pick<Deps, 'sql'>;

const findOwn = async ({ sql }: StoreDeps, accountId: string, linkId: string): Promise<StoredLink> => {
  const found = await findLink(sql, linkId);
  if (found?.accountId !== accountId) throw serviceError('link_not_found');
  return found;
};

export const createLink = onCommand(transcriptFetcher.createLink, async (deps: Deps, request) => {
  const { id, isReplayed } = await create(deps, request);
  crashPoint('link-created');
  const { link } = await findOwn(deps, request.accountId, id);
  return { link, isReplayed };
});

export const listLinks = onCommand(transcriptFetcher.listLinks, async ({ sql }: StoreDeps, { accountId }) => ({
  links: await findLinks(sql, accountId),
}));

export const getLink = onCommand(transcriptFetcher.getLink, async (deps: StoreDeps, { accountId, linkId }) => ({
  link: (await findOwn(deps, accountId, linkId)).link,
}));

export const endLink = onCommand(
  transcriptFetcher.endLink,
  async (deps: Deps, { accountId, linkId, keyId }, context) => {
    const { keyId: begunBy } = await findOwn(deps, accountId, linkId);
    if (keyId !== null && keyId !== begunBy)
      await deps.call(identity.checkOwnWork, { accountId, keyId, begunBy }, context);
    await deps.messaging.transaction(deps.db, async (tx, send) => {
      const endedAt = await saveEnd(tx, linkId);
      if (endedAt === null) return;
      await send.emit(transcriptFetcher.linkEnded, { accountId, linkId, endedAt });
      crashPoint('link-ended');
    });
    return { link: (await findOwn(deps, accountId, linkId)).link };
  },
);

/** After a restore of this database: a link that was taken back stays so. */
export const linkEnded = onEvent(transcriptFetcher.linkEnded, async ({ db }: Pick<Deps, 'db'>, event) => {
  await saveEnd(db, event.linkId, event.endedAt);
});

type Maker = ReplyOf<typeof identity.getKeyPhase>;

/** Null if its account is closed or unknown. */
const findMaker = (
  { call }: Deps,
  { accountId, keyId }: StoredLink,
  context: CallContext,
): Promise<Maker | null> =>
  call(identity.getKeyPhase, { accountId, keyId }, context).catch((error) => {
    if (hasCode(error, 'account_closed')) return null;
    throw error;
  });

/** The file of a link's transcript, as the account has received it. Throws `cache_object_missing`; nothing is fetched for a stranger. */
const openTranscript = async (deps: ReadDeps, found: StoredLink) => {
  const { link, transcriptId, isFallback, translation } = found;
  const format = 'json';
  const [hit] = await findTranscripts(deps.sql, [transcriptId], format);
  if (!hit) throw new Error(`the transcript of link ${link.id} is gone`);
  const { transcript, file: stored } = hit;
  const isThere = stored !== null && (await deps.objects.stat(stored.objectKey));
  const file = isThere ? stored : (await renderAndStore(deps, { transcript, format, file: stored })).file;
  const selection = { videoId: link.video_id, language: link.requested, fallback: true, format } as const;
  return toDeliveredTranscript(selection, transcript, { isFallback, translation }, file);
};

export const openLink = onCommand(
  transcriptFetcher.openLink,
  async (deps: ReadDeps, { linkId, isCounted }, context) => {
    const found = await findLink(deps.sql, linkId);
    const maker = found?.isLive ? await findMaker(deps, found, context) : null;
    if (!found || maker?.accountStatus !== 'active' || maker.phase === 'revoked')
      throw serviceError('link_not_found');
    const transcript = await openTranscript(deps, found);
    if (isCounted) await countOpen(deps.sql, linkId);
    return { link: found.link, accountName: maker.accountName ?? null, transcript };
  },
);
