import { identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { type AuditEntry, insertAuditEntry } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { findPerson } from '../store/people.ts';
import { moveDigests } from './daily-mail.ts';
import { findReadersOfWork } from './readers.ts';
import { readStopToken, type Stop } from './stop-token.ts';
import { type ChangedChoices, isTimeZone, saveMailChoices } from './store/digests.ts';
import { type Choice, findMailsOfWork, saveMailOfWork } from './store/mails-of-work.ts';
import { findReaderOfLink, stopInvitations } from './store/stops.ts';

type StopEntry = Pick<AuditEntry, 'action' | 'actor' | 'personId' | 'requestId' | 'detail'>;
type EventStop = Extract<Stop, { readonly kind: 'events' | 'work' }>;

/** Null if a restore has lost the person. */
const changeChoices = ({ db, messaging, now }: Deps, change: ChangedChoices, audited?: StopEntry) =>
  messaging.transaction(db, async (tx, send) => {
    const save = () => saveMailChoices(tx, change, now());
    if (audited) await insertAuditEntry(tx, { at: now(), accountId: change.accountId, ...audited });
    const saved = await moveDigests({ tx, send, now: now() }, change, save);
    if (saved) await send.emit(identity.mailChoicesChanged, saved);
    return saved;
  });

export const changeMailChoices = onCommand(identity.changeMailChoices, async (deps: Deps, change) => {
  const { accountId, personId = accountId, choices } = change;
  const { time_zone: zone } = choices;
  if (zone !== undefined && !(await isTimeZone(deps.db, zone))) throw serviceError('invalid_time_zone');
  const saved = await changeChoices(deps, { accountId, personId, choices });
  if (!saved) throw new Error('a principal has a person');
  return saved;
});

type Work = RequestOf<typeof identity.getMailOfWork>;

const readMailOfWork = async (db: Db, { accountId, workId, personId, madeBy, default: mail }: Work) => {
  const readers = await findReadersOfWork(db, { accountId, workId, personId: madeBy, mail });
  const chosen = (await findMailsOfWork(db, { accountId, workId })).get(personId) ?? null;
  const reader = readers.find((one) => one.personId === personId);
  return { mail: reader?.mail ?? 'none', is_chosen: chosen !== null } as const;
};

export const getMailOfWork = onCommand(identity.getMailOfWork, ({ db }: Deps, work) =>
  readMailOfWork(db, work),
);

/** Saves and emits how a person of an account is mailed of a monitor or a job. */
const chooseMail = ({ db, messaging, now }: Deps, choice: Choice, audited?: StopEntry) =>
  messaging.transaction(db, async (tx, send) => {
    const { accountId } = choice;
    if (audited) await insertAuditEntry(tx, { at: now(), accountId, ...audited });
    const version = await saveMailOfWork(tx, choice);
    await send.emit(identity.mailOfWorkChosen, { ...choice, version });
  });

export const chooseMailOfWork = onCommand(identity.chooseMailOfWork, async (deps: Deps, request) => {
  const { mail, ...work } = request;
  const { accountId, personId, workId } = work;
  // Who was removed meanwhile chooses nothing any more.
  if ((await findPerson(deps.db, accountId, personId)) === null) throw serviceError('session_required');
  await chooseMail(deps, { accountId, personId, workId, mail });
  return readMailOfWork(deps.db, work);
});

const usedUp = () =>
  serviceError('invalid_mail_token', {
    message:
      'This link ends nothing any more: its reader has left the account, or the mails were switched on again.',
  });

/** On behalf of the reader, who must still be in the account, and have chosen no mails since. */
const stopEventsOf = async (deps: Deps, stop: EventStop, requestId: string) => {
  const { personId, issuedAt } = stop;
  const workId = stop.kind === 'work' ? stop.workId : null;
  const reader = await findReaderOfLink(deps.db, { personId, workId });
  if (reader === null || (reader.resumedAt ?? issuedAt) > issuedAt) throw usedUp();
  const { accountId, isStopped } = reader;
  if (isStopped) return;
  const entry = { action: 'mails-stopped', actor: 'holder', personId, requestId } as const;
  const who = { accountId, personId };
  if (workId === null) await changeChoices(deps, { ...who, choices: { event_mails: false } }, entry);
  else await chooseMail(deps, { ...who, workId, mail: 'none' }, { ...entry, detail: workId });
};

export const stopEventMails = onCommand(
  identity.stopEventMails,
  async (deps: Deps, { token }, { requestId }) => {
    const stop = readStopToken(deps.vault.stopKey, token);
    if (stop === null) throw serviceError('invalid_mail_token');
    if (stop.kind !== 'invitations') await stopEventsOf(deps, stop, requestId);
    else if (!(await stopInvitations(deps.db, stop.invitationId, deps.now()))) throw usedUp();
    return {};
  },
);
