/** Another worker has taken the task over: whoever sees this was frozen or cut off, and must change nothing. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(taskId: string) {
    super(`the lease of task ${taskId} is lost`);
  }
}
