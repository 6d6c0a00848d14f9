import { z } from 'zod';

/** How the holder hears by mail of a monitor or a job: of each event at once, of all in the mail of a day, or not. */
export const mailChoice = z.enum(['now', 'daily', 'none']).meta({ id: 'MailChoice' });
export type MailChoice = z.infer<typeof mailChoice>;
