import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { moveDigests } from './daily-mail.ts';
import { readStopToken } from './stop-token.ts';
import { type ChangedChoices, isTimeZone, saveMailChoices } from './store/digests.ts';

/** Null if a restore has lost the account. */
const changeChoices = ({ db, messaging, now }: Deps, change: ChangedChoices) =>
  messaging.transaction(db, async (tx, send) => {
    const save = () => saveMailChoices(tx, change);
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

export const stopEventMails = onCommand(identity.stopEventMails, async (deps: Deps, { token }) => {
  const accountId = readStopToken(deps.vault.stopKey, token);
  if (accountId === null) throw serviceError('invalid_mail_token');
  await changeChoices(deps, { accountId, choices: { event_mails: false } });
  return {};
});
