export { feedRoutes } from './feeds.ts';
export { getJobArchive, getJobDocument } from './job-archive.ts';
export { jobFileRoutes } from './job-files.ts';
export { jobRoutes } from './jobs.ts';
export { monitorRoutes } from './monitors.ts';
export { streamJob } from './stream-job.ts';
