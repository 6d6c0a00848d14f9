import type { Alert } from './alert.ts';
import { messages } from './alerts/messages.ts';
import { processes } from './alerts/processes.ts';
import { work } from './alerts/work.ts';
import { burnAlerts } from './burn-rates.ts';

export const alertGroups: Readonly<Record<string, readonly Alert[]>> = {
  processes,
  messages,
  work,
  objectives: burnAlerts,
};

export const alerts: readonly Alert[] = Object.values(alertGroups).flat();
