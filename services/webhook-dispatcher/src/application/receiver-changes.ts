import { type ReceiverChange, webhookDispatcher } from '@tds/contracts';
import { hostOfShown } from '../domain/receiver-address.ts';
import {
  endReceiver,
  findKnownReceiver,
  type LiveReceiver,
  raiseReceiverVersion,
  readReceiverSnapshot,
} from '../store/receivers.ts';
import type { ChangeDeps } from './webhook-changes.ts';

/*
 * enabled   events become deliveries
 * disabled  after failures of days (failing), by an answer of its service (gone), or after a restore that lost its secret (secret_lost):
 *           events become failed deliveries, which `replayReceiver` sends later. Any change enables it
 * deleted   what waits for it fails; the row stays for forty days, so that no restore brings it back
 */

type Change = {
  readonly accountId: string;
  readonly receiverId: string;
  readonly changes: ReceiverChange[];
  /** Null for a session and for this service. */
  readonly keyId: string | null;
};

/** Emits the state of a receiver after a change. Requires the queue lock. */
export const emitReceiverChanged = async (
  { tx, send, cipher }: ChangeDeps,
  { accountId, receiverId, changes, keyId }: Change,
): Promise<void> => {
  const version = await raiseReceiverVersion(tx, receiverId);
  const known = (await findKnownReceiver(tx, receiverId)) as LiveReceiver;
  const { name, form, url, disabledReason } = known;
  const state = await readReceiverSnapshot(tx, receiverId);
  await send.emit(webhookDispatcher.receiverChanged, {
    ...{ accountId, receiverId, name, form, changes, disabledReason, keyId, version },
    host: hostOfShown(form, url),
    state: state && cipher.encrypt(JSON.stringify(state), accountId),
  });
};

/** Ends a receiver. Requires the queue lock. */
export const endAndEmit = async (deps: ChangeDeps, receiver: Omit<Change, 'changes'>): Promise<void> => {
  await endReceiver(deps.tx, receiver.receiverId);
  await emitReceiverChanged(deps, { ...receiver, changes: ['removed'] });
};
