import { bulkOrchestrator } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { promiseJobEvent } from '../application/promise-job-event.ts';

export const jobCompleted = onEvent(bulkOrchestrator.jobCompleted, promiseJobEvent('job.completed'));
