import { z } from 'zod';
import { uuid } from './ids.ts';

/** How a person hears by mail of a job: of each event at once, of all in the mail of a day, or not. */
export const mailChoice = z.enum(['now', 'daily', 'none']).meta({ id: 'MailChoice' });
export type MailChoice = z.infer<typeof mailChoice>;

/** Of a monitor: there is a mail of a week, too. */
export const monitorMail = z.enum(['now', 'daily', 'weekly', 'none']).meta({ id: 'MonitorMail' });
export type MonitorMail = z.infer<typeof monitorMail>;

/**
 * A monitor's in its events: how who made it is mailed. Weekly is `daily` with a mark, because the release before knows no other. A null
 * person is the first one of the account; without one, from the release before, it is the oldest owner.
 */
export const mailOfEvent = {
  mail: mailChoice.default('none'),
  weekly: z.boolean().optional(),
  personId: uuid.nullish(),
};
