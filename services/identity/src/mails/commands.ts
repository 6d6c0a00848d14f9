import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { type AuditEntry, insertAuditEntry } from '../store/accounts.ts';
import { moveDigests } from './daily-mail.ts';
import { readStopToken, type Stop } from './stop-token.ts';
import { type ChangedChoices, isTimeZone, saveMailChoices } from './store/digests.ts';
import { findReaderOfLink, stopInvitations } from './store/stops.ts';

type StopEntry = Pick<AuditEntry, 'action' | 'actor' | 'personId' | 'requestId'>;
type EventStop = Extract<Stop, { readonly kind: 'events' }>;

/** Null if a restore has lost the account. */
const changeChoices = ({ db, messaging, now }: Deps, change: ChangedChoices, audited?: StopEntry) =>
  messaging.transaction(db, async (tx, send) => {
    const save = () => saveMailChoices(tx, change, now());
    if (audited) await insertAuditEntry(tx, { at: now(), accountId: change.accountId, ...audited });
    const saved = await moveDigests({ tx, send, now: now() }, change.accountId, save);
    if (saved) await send.emit(identity.mailChoicesChanged, saved);
    return saved;
  });

export const changeMailChoices = onCommand(identity.changeMailChoices, async (deps: Deps, change) => {
  const { time_zone: zone } = change.choices;
  if (zone !== undefined && !(await isTimeZone(deps.db, zone))) throw serviceError('invalid_time_zone');
  const saved = await changeChoices(deps, change);
  if (!saved) throw new Error('a principal has an account');
  return saved;
});

const usedUp = () =>
  serviceError('invalid_mail_token', {
    message:
      'This link ends nothing any more: its reader has left the account, or the mails were switched on again.',
  });

/** On behalf of the reader, who must still be in the account. */
const stopEventsOf = async (deps: Deps, { personId, issuedAt }: EventStop, requestId: string) => {
  const reader = await findReaderOfLink(deps.db, personId);
  if (reader === null || (reader.mailsResumedAt ?? issuedAt) > issuedAt) throw usedUp();
  const { accountId, eventMails } = reader;
  if (!eventMails) return;
  const entry = { action: 'mails-stopped', actor: 'holder', personId, requestId } as const;
  await changeChoices(deps, { accountId, choices: { event_mails: false } }, entry);
};

export const stopEventMails = onCommand(
  identity.stopEventMails,
  async (deps: Deps, { token }, { requestId }) => {
    const stop = readStopToken(deps.vault.stopKey, token);
    if (stop === null) throw serviceError('invalid_mail_token');
    if (stop.kind === 'events') await stopEventsOf(deps, stop, requestId);
    else if (!(await stopInvitations(deps.db, stop.invitationId, deps.now()))) throw usedUp();
    return {};
  },
);
