import type { VersionedChoices } from '@tds/contracts';
import type { AccountState } from './accounts.ts';
import type { Db } from './database.ts';

type Status = AccountState & { readonly accountId: string; readonly version: number };

/** Saves a newer status of an account. False if the account's is newer, or the account is unknown. */
export const restoreStatus = async (
  db: Db,
  { accountId, version, ...state }: Status,
  now: Date,
): Promise<boolean> => {
  const { count } = await db.account.updateMany({
    where: { id: accountId, statusVersion: { lt: version } },
    data: { ...state, statusVersion: version, statusChangedAt: now },
  });
  return count === 1;
};

type Naming = { readonly accountId: string; readonly name: string | null; readonly version: number };

/** Saves a newer name of an account. */
export const restoreName = async (db: Db, { accountId: id, name, version: nameVersion }: Naming) => {
  await db.account.updateMany({ where: { id, nameVersion: { lt: nameVersion } }, data: { name, nameVersion } });
};

/** Saves newer choices about mails of a person. Links of before mails were switched on again stay used up. */
export const restoreMailChoices = async (
  db: Db,
  { accountId: _, personId: id, version: mailVersion, ...choices }: VersionedChoices & { personId: string },
  now: Date,
) => {
  const {
    time_zone: timeZone,
    digest_hour: digestHour,
    digest_day: digestDay,
    event_mails: eventMails,
  } = choices;
  const day = digestDay === undefined ? {} : { digestDay };
  const data = { timeZone, digestHour, ...day, eventMails, mailVersion };
  const where = { id, mailVersion: { lt: mailVersion } };
  if (eventMails)
    await db.person.updateMany({ where: { ...where, eventMails: false }, data: { mailsResumedAt: now } });
  await db.person.updateMany({ where, data });
};
