import { randomUUID } from 'node:crypto';
import { identity, type Notice, type PayloadOf } from '@tds/contracts';
import { runOnce } from '@tds/kit';
import type { ListenerContext } from '@tds/messaging';
import type { Deps, Transaction } from '../deps.ts';
import { findAnyone, findEmailOf, findOwnerEmail, findPeople } from '../store/people.ts';
import type { Surface } from '../surface.ts';

type Mailing = Pick<Transaction<Surface>, 'tx' | 'send'> & { readonly accountId: string };
type OwnersChanged = Omit<Extract<Notice, { readonly kind: 'owners_changed' }>, 'kind'>;

/** Mails each owner as of now, and a person whose role has changed; not who has just joined. */
export const mailOwners = async (
  { tx, send, accountId }: Mailing,
  changed: OwnersChanged,
  { also, except }: { readonly also?: string; readonly except?: string } = {},
): Promise<void> => {
  const notice = { kind: 'owners_changed', ...changed } as const;
  const owners = (await findPeople(tx, accountId)).filter(({ role }) => role === 'owner');
  const ids = new Set([...owners.map(({ id }) => id), ...(also === undefined ? [] : [also])]);
  for (const personId of ids)
    if (personId !== except)
      await send.enqueue(identity.sendNotice, { accountId, personId, mailId: randomUUID(), notice });
};

type ChangedPerson = PayloadOf<typeof identity.personChanged>;

/** What has become of an owner; null if the person neither was nor is one. */
const changeOf = ({ role, roleBefore, isRemoved }: ChangedPerson): OwnersChanged['change'] | null => {
  if (isRemoved) return role === 'owner' ? 'removed' : null;
  if (role === roleBefore) return null;
  if (roleBefore === null) return role === 'owner' ? 'joined' : null;
  if (role === 'owner') return 'made_owner';
  return roleBefore === 'owner' ? 'made_other' : null;
};

/** Mails owners of a change among them, and a person who is in the account no more. */
export const mailPersonChange = (deps: Deps, event: ChangedPerson, context: ListenerContext) =>
  runOnce(deps, context, async (tx, send) => {
    const { accountId, personId, byPersonId, isRemoved, roleBefore } = event;
    const email = await findEmailOf(tx, accountId, personId);
    // Of the release before, or of a person whom a restore has lost.
    if (roleBefore === undefined || email === null) return;
    const by = byPersonId === undefined ? null : await findEmailOf(tx, accountId, byPersonId);
    const change = changeOf(event);
    const isOwn = isRemoved || byPersonId === personId;
    const mailing = { tx, send, accountId };
    if (change)
      await mailOwners(mailing, { change, email, by }, isOwn ? { except: personId } : { also: personId });
    if (!isRemoved) return;
    const passedTo = (await findAnyone(tx, accountId, personId))?.passedTo ?? null;
    const heir = passedTo && (await findEmailOf(tx, accountId, passedTo));
    const notice = { kind: 'left_account', of: await findOwnerEmail(tx, accountId), by, heir } as const;
    await send.enqueue(identity.sendNotice, { accountId, personId, mailId: context.messageId, notice });
  });
