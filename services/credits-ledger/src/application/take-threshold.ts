import type { ListenerContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { setLowThreshold } from '../store/ledger-statements.ts';

type Told = { readonly accountId: string; readonly version: number };

/** Takes over what a webhook says of its account's threshold. Webhooks are told of in any order: older news change nothing. */
export const takeThreshold = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId, version }: Told,
  threshold: number | null,
  context: ListenerContext,
): Promise<void> =>
  messaging.transaction(db, (tx) =>
    context.once(tx, async () => {
      const isNews = await setLowThreshold(tx, { accountId, threshold, version });
      context.record.add({ threshold, version, isNews });
    }),
  );
