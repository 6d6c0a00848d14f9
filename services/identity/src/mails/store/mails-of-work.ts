import { nextVersionSql } from '@tds/base';
import type { MonitorMail, versionedChoiceOfWork } from '@tds/contracts';
import type { z } from 'zod';
import type { Db } from '../../store/database.ts';
import { Prisma } from '../../store/prisma/client.ts';

type VersionedChoice = z.infer<typeof versionedChoiceOfWork>;
export type Choice = Omit<VersionedChoice, 'version'>;

/** Saves how a person is mailed of a monitor or a job, and returns the version of the choice. */
export const saveMailOfWork = async (
  tx: Db,
  { accountId, personId, workId, mail }: Choice,
): Promise<number> => {
  const [saved] = await tx.$queryRaw<{ version: number }[]>`
    INSERT INTO mails_of_work AS m (person_id, work_id, account_id, mail, version)
    VALUES (${personId}::uuid, ${workId}, ${accountId}::uuid, ${mail}, ${Prisma.raw(nextVersionSql('0'))})
    ON CONFLICT (work_id, person_id) DO UPDATE
    SET mail = excluded.mail, version = ${Prisma.raw(nextVersionSql('m.version'))}, changed_at = clock_timestamp()
    RETURNING version::float8 AS version`;
  return saved?.version ?? 0;
};

/** Saves a choice unless a newer one is known. */
export const restoreMailOfWork = (
  db: Db,
  { accountId, personId, workId, mail, version }: VersionedChoice,
) => db.$executeRaw`
  INSERT INTO mails_of_work AS m (person_id, work_id, account_id, mail, version)
  VALUES (${personId}::uuid, ${workId}, ${accountId}::uuid, ${mail}, ${version}::bigint)
  ON CONFLICT (work_id, person_id) DO UPDATE SET mail = excluded.mail, version = excluded.version
  WHERE m.version < excluded.version`;

/** What people of an account have chosen for a monitor or a job, by person; null is as by default. */
export const findMailsOfWork = async (
  db: Db,
  { accountId, workId }: Pick<Choice, 'accountId' | 'workId'>,
): Promise<Map<string, MonitorMail | null>> => {
  const rows = await db.mailOfWork.findMany({ where: { accountId, workId } });
  return new Map(rows.map(({ personId, mail }) => [personId, mail as MonitorMail | null]));
};
