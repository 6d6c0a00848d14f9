import type { Answer, Body, JobSummary, Query } from '../api.ts';
import type { Connection, CreateOptions, RequestOptions } from '../connection.ts';
import { Job } from '../job.ts';
import { createList, type Pages } from '../pages.ts';

export type NewJob = Body<'createJob'>;

export const jobs = (connection: Connection) => ({
  /** Starts a job of up to 500 transcripts, from a source (`input`) or `video_ids`. */
  create: async (body: NewJob, options: CreateOptions = {}): Promise<Job> =>
    new Job(
      connection,
      (await connection.create<Answer<'createJob', 202>>({ ...options, path: '/v1/jobs', body })).job,
    ),

  get: async (id: string, options: RequestOptions = {}): Promise<Job> => {
    const path = `/v1/jobs/${encodeURIComponent(id)}`;
    return new Job(connection, (await connection.json<Answer<'getJob'>>({ ...options, path })).job);
  },

  /** Newest first, without their videos. */
  list: (options: Query<'listJobs'> & RequestOptions = {}): Pages<JobSummary, Answer<'listJobs'>> =>
    createList(connection, '/v1/jobs', 'jobs', options),
});
