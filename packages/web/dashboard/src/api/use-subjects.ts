import { useQuery } from '@tanstack/react-query';
import { libraryQuery } from './library.ts';
import { jobsQuery } from './queries.ts';

const NEWEST = 'limit=100';

/** What lists of ids are about, among the newest: titles of received videos, and jobs. */
export const useSubjects = () => {
  const library = useQuery(libraryQuery(NEWEST));
  const newestJobs = useQuery(jobsQuery(NEWEST));
  return {
    titles: new Map(library.data?.transcripts.map(({ video_id, title }) => [video_id, title])),
    jobs: new Map(newestJobs.data?.jobs.map((job) => [job.id, job])),
    library,
    newestJobs,
  };
};
