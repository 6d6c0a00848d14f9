import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { readStopToken } from '../domain/stop-token.ts';
import { isTimeZone, toMailChoices } from '../store/digests.ts';

export const changeMailChoices = onCommand(
  identity.changeMailChoices,
  async ({ db }: Pick<Deps, 'db'>, { accountId: id, choices }) => {
    const { time_zone: timeZone, digest_hour: digestHour, event_mails: eventMails } = choices;
    if (timeZone !== undefined && !(await isTimeZone(db, timeZone))) throw serviceError('invalid_time_zone');
    const data = {
      ...(timeZone !== undefined && { timeZone }),
      ...(digestHour !== undefined && { digestHour }),
      ...(eventMails !== undefined && { eventMails }),
    };
    return toMailChoices(await db.account.update({ where: { id }, data }));
  },
);

export const stopEventMails = onCommand(
  identity.stopEventMails,
  async ({ db, vault }: Pick<Deps, 'db' | 'vault'>, { token }) => {
    const id = readStopToken(vault.stopKey, token);
    if (id === null) throw serviceError('invalid_mail_token');
    await db.account.updateMany({ where: { id }, data: { eventMails: false } });
    return {};
  },
);
