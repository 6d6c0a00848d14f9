import { type PayloadOf, webhookDispatcher } from '@tds/contracts';
import type { ListenerContext, Seals } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { lockQueue } from '../store/queues.ts';
import {
  readWebhookState,
  saveWebhookVersion,
  type WebhookState,
  webhookState,
  webhookVersionOf,
  writeWebhookState,
} from '../store/webhook-states.ts';
import { disableWebhook, removeWebhook } from '../store/webhooks.ts';
import { type ChangeParts, webhookChanged, webhookWasDisabled } from './webhook-changes.ts';

type Told = PayloadOf<typeof webhookDispatcher.webhookChanged>;

/** Null if the key ring opens it, or the secret in it, no longer. */
const open = (seals: Seals, sealed: string, accountId: string): WebhookState | null => {
  try {
    const state = webhookState.parse(JSON.parse(seals.open(sealed, accountId)));
    seals.open(state.secret.sealed, accountId);
    return state;
  } catch {
    return null;
  }
};

/** The webhook of the copy may have an address or a secret that its owner has replaced: nothing is sent to it. */
const giveUp = async (parts: ChangeParts, { accountId, host }: Told): Promise<void> => {
  const disabled = await disableWebhook(parts.tx, accountId, 'secret_lost');
  if (disabled) return webhookWasDisabled(parts, 'secret_lost', disabled);
  const url = `https://${host}`;
  const version = await webhookChanged(parts, { accountId, changes: ['secret_lost'], url, keyId: null });
  await parts.send.emit(webhookDispatcher.webhookRemoved, { accountId, version });
};

/** A secret that was issued before this database went back stays issued, though the webhook was changed again since. */
const keepNewerSecret = async (parts: ChangeParts, { accountId }: Told, lost: WebhookState) => {
  const now = await readWebhookState(parts.tx, accountId);
  if (now === null || now.secret.createdAt >= lost.secret.createdAt) return;
  await writeWebhookState(parts.tx, accountId, { ...now, secret: lost.secret });
  await webhookChanged(parts, { accountId, changes: [], url: now.url, keyId: now.updatedByKeyId });
};

const retake = async (parts: ChangeParts, told: Told): Promise<void> => {
  const { accountId, version } = told;
  const isNewer = version > (await webhookVersionOf(parts.tx, accountId));
  const state = told.state === null ? null : open(parts.seals, told.state, accountId);
  if (!isNewer) return state ? keepNewerSecret(parts, told, state) : undefined;
  await saveWebhookVersion(parts.tx, accountId, version);
  if (told.state === null) await removeWebhook(parts.tx, accountId);
  else if (state === null) await giveUp(parts, told);
  else await writeWebhookState(parts.tx, accountId, state);
};

/**
 * This database went back to an older copy, and lacks a change that its owner was answered and others have heard of: it is made again,
 * in whatever order such changes are heard.
 */
export const retakeWebhook = (
  { db, messaging, seals }: Pick<Deps, 'db' | 'messaging' | 'seals'>,
  told: Told,
  { once }: Pick<ListenerContext, 'once'>,
): Promise<void> =>
  messaging.transaction(db, (tx, send) =>
    once(tx, async () => {
      await lockQueue(tx, told.accountId);
      await retake({ tx, send, seals }, told);
    }),
  );
