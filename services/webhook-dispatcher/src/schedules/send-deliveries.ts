import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** What is due again, and what other processes have promised. */
export const sendDeliveries = onSchedule(async ({ sender }: Pick<Deps, 'sender'>) => sender.wake());
