import { type WebhookChange, webhookDispatcher } from '@tds/contracts';
import type { Seals, Sender } from '@tds/service-kit';
import type { Db } from '../store/database.ts';
import { nextWebhookVersion, readWebhookState } from '../store/webhook-states.ts';
import { findWebhook, removeWebhook } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

export type ChangeParts = { readonly tx: Db; readonly send: Sender<Surface>; readonly seals: Seals };

export type Change = {
  readonly accountId: string;
  readonly changes: WebhookChange[];
  readonly url: string;
  /** Null for a session and for the service itself. */
  readonly keyId: string | null;
};

/** Emits what a webhook has become, after each change of one. Resolves to the version of this change. The queue is held. */
export const webhookChanged = async (
  { tx, send, seals }: ChangeParts,
  { accountId, changes, url, keyId }: Change,
): Promise<number> => {
  const version = await nextWebhookVersion(tx, accountId);
  const state = await readWebhookState(tx, accountId);
  await send.emit(webhookDispatcher.webhookChanged, {
    ...{ accountId, changes, keyId, version },
    host: new URL(url).hostname,
    state: state && seals.seal(JSON.stringify(state), accountId),
  });
  return version;
};

type Owned = { readonly accountId: string; readonly keyId: string | null };

/** False if there was none. What waits to be sent keeps its secret, which is deleted after the last of it. The queue is held. */
export const deleteWebhookOf = async (parts: ChangeParts, { accountId, keyId }: Owned): Promise<boolean> => {
  const before = await findWebhook(parts.tx, accountId);
  if (before === null) return false;
  await removeWebhook(parts.tx, accountId);
  const { url } = before;
  const version = await webhookChanged(parts, { accountId, changes: ['removed'], url, keyId });
  await parts.send.emit(webhookDispatcher.webhookRemoved, { accountId, version });
  return true;
};

/** Says of webhooks that were just disabled that nothing is sent to them any more. The queues are held. */
export const webhookWasDisabled = async (
  parts: ChangeParts,
  change: 'disabled' | 'secret_lost',
  { accountId, url }: { readonly accountId: string; readonly url: string },
): Promise<void> => {
  const version = await webhookChanged(parts, { accountId, changes: [change], url, keyId: null });
  await parts.send.emit(webhookDispatcher.webhookDisabled, {
    accountId,
    host: new URL(url).hostname,
    version,
  });
};
