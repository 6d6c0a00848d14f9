import type { Cipher } from '@tds/base';
import { type WebhookChange, webhookDispatcher } from '@tds/contracts';
import type { Sender } from '@tds/messaging';
import type { Db } from '../store/database.ts';
import {
  type DisabledWebhook,
  deleteWebhook,
  findWebhook,
  nextWebhookVersion,
  readWebhookState,
} from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

export type ChangeDeps = { readonly tx: Db; readonly send: Sender<Surface>; readonly cipher: Cipher };

type Change = {
  readonly accountId: string;
  readonly changes: WebhookChange[];
  readonly url: string;
  /** Null for a session and for this service. */
  readonly keyId: string | null;
};

/** Emits the state of a webhook after a change. Returns the version of the change. Requires the queue lock. */
export const emitWebhookChanged = async (
  { tx, send, cipher }: ChangeDeps,
  { accountId, changes, url, keyId }: Change,
): Promise<number> => {
  const version = await nextWebhookVersion(tx, accountId);
  const state = await readWebhookState(tx, accountId);
  await send.emit(webhookDispatcher.webhookChanged, {
    accountId,
    changes,
    keyId,
    version,
    host: new URL(url).hostname,
    state: state && cipher.encrypt(JSON.stringify(state), accountId),
  });
  return version;
};

type Owner = { readonly accountId: string; readonly keyId: string | null };

/** Returns false if there was no webhook. Waiting deliveries keep its secret until they end. Requires the queue lock. */
export const deleteAndEmit = async (deps: ChangeDeps, { accountId, keyId }: Owner): Promise<boolean> => {
  const webhook = await findWebhook(deps.tx, accountId);
  if (webhook === null) return false;
  await deleteWebhook(deps.tx, accountId);
  const { url } = webhook;
  const version = await emitWebhookChanged(deps, { accountId, changes: ['removed'], url, keyId });
  await deps.send.emit(webhookDispatcher.webhookRemoved, { accountId, version });
  return true;
};

/** Emits that a webhook was disabled in this transaction. Requires the queue lock. */
export const emitWebhookDisabled = async (
  deps: ChangeDeps,
  change: 'disabled' | 'secret_lost',
  { accountId, url }: DisabledWebhook,
) => {
  const version = await emitWebhookChanged(deps, { accountId, changes: [change], url, keyId: null });
  const { hostname: host } = new URL(url);
  await deps.send.emit(webhookDispatcher.webhookDisabled, { accountId, host, version });
};
