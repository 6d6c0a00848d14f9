import type { Alert } from './alert.ts';
import { readData } from './read-data.ts';
import { burnAlerts } from './slos.ts';

export const alertGroups: Readonly<Record<string, readonly Alert[]>> = {
  ...readData<Readonly<Record<string, readonly Alert[]>>>('alerts.yml'),
  objectives: burnAlerts,
};

export const alerts: readonly Alert[] = Object.values(alertGroups).flat();
