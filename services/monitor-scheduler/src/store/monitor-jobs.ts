import type { Db } from './database.ts';

export type MonitorJob = {
  /** As the database knows it. */
  readonly monitorId: string;
  readonly jobId: string;
  /** Of the numbers behind this one, up to that one. */
  readonly after: number;
  readonly upTo: number;
};

export const saveJob = async (tx: Db, job: MonitorJob): Promise<void> => {
  await tx.monitorJob.createMany({ data: [job], skipDuplicates: true });
};
