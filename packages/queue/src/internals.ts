export type { PollTarget } from './leases.ts';
export { startPolling } from './poll.ts';
export { runWhenDue, type ScheduleHandlers, startInstanceSchedules } from './schedules/runs.ts';
export { claimSchedules, finishSchedule, registerSchedules } from './schedules/schedule-rows.ts';
export { type Schedules, startSchedules } from './schedules/schedules.ts';
export { claimTasks } from './tasks/claim-tasks.ts';
export { buryTask, completeTask, renewTasks } from './tasks/task-rows.ts';
export { startTasks, type TaskHandlers, type Tasks } from './tasks/tasks.ts';
