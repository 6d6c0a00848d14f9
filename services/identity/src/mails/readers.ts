import { type MonitorMail, payers } from '@tds/contracts';
import type { Db } from '../store/database.ts';
import { findAnyone, findPeople, type Person } from '../store/people.ts';
import { findMailsOfWork } from './store/mails-of-work.ts';

/**
 * A monitor or a job that is mailed about, and how its maker is by default. The maker is null for the first person of the account, and
 * absent from the release before, which mails the oldest owner.
 */
export type MailedWork = {
  readonly accountId: string;
  readonly workId: string;
  readonly personId?: string | null | undefined;
  readonly mail: MonitorMail;
};
type WorkReader = { readonly personId: string; readonly mail: MonitorMail };

/** Who hears what concerns an account: money and security. */
export const findPayers = async (db: Db, accountId: string): Promise<string[]> =>
  (await findPeople(db, accountId)).filter(({ role }) => payers.includes(role)).map(({ id }) => id);

/** Of these people, whose a monitor or a job is: its maker's, or of who has the work of one who left, or else the oldest owner's. */
const findHolder = async (
  db: Db,
  people: readonly Person[],
  { accountId, personId }: Pick<MailedWork, 'accountId' | 'personId'>,
): Promise<string | undefined> => {
  const oldestOwner = people.find(({ role }) => role === 'owner')?.id;
  if (personId === undefined) return oldestOwner;
  const seen = new Set<string>();
  for (let id: string | null = personId ?? accountId; id !== null && !seen.has(id); ) {
    seen.add(id);
    const maker = await findAnyone(db, accountId, id);
    if (maker?.removedAt === null) return maker.id;
    id = maker?.passedTo ?? null;
  }
  return oldestOwner;
};

/** Whom a monitor or a job mails, and when: who chose it, and its holder, who may have chosen otherwise. */
export const findReadersOfWork = async (db: Db, work: MailedWork): Promise<WorkReader[]> => {
  const people = await findPeople(db, work.accountId);
  const [holder, chosen] = await Promise.all([
    findHolder(db, people, work),
    findMailsOfWork(db, { accountId: work.accountId, workId: work.workId }),
  ]);
  return people.flatMap(({ id: personId }) => {
    const mail = chosen.get(personId) ?? (personId === holder ? work.mail : 'none');
    return mail === 'none' ? [] : { personId, mail };
  });
};

/** Who hears that a monitor or a job has stopped: its holder, whatever they chose, and whom it mails. */
export const findWhoNeedsToKnow = async (db: Db, work: Omit<MailedWork, 'mail'>): Promise<string[]> => {
  const readers = await findReadersOfWork(db, { ...work, mail: 'now' });
  const holder = await findHolder(db, await findPeople(db, work.accountId), work);
  return [...new Set([...(holder === undefined ? [] : [holder]), ...readers.map(({ personId }) => personId)])];
};
