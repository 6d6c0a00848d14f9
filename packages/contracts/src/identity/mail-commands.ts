import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';

const MAX_ZONE_LENGTH = 64;

/** Mails about monitors and jobs. */
export const mailChoices = {
  time_zone: z
    .string()
    .max(MAX_ZONE_LENGTH, { abort: true })
    .regex(/^[A-Za-z][\w/+-]*$/)
    .describe('An IANA time zone, such as Europe/Berlin'),
  digest_hour: z
    .number()
    .int()
    .min(0)
    .max(23)
    .describe('The hour of that zone at which the daily and the weekly mail come'),
  digest_day: z
    .number()
    .int()
    .min(1)
    .max(7)
    .describe('The day of the weekly mail, at that hour: from 1, Monday, to 7, as ISO 8601 counts'),
  event_mails: z
    .boolean()
    .describe('Whether mails about monitors and jobs are sent: the link in each of them sets it to false'),
};
const choices = z.object(mailChoices);
export type MailChoices = z.infer<typeof choices>;
/** The release before has no day. */
export const shownMailChoices = choices.extend({ digest_day: mailChoices.digest_day.default(1) });

/** What the holder chose as of this version. */
export const versionedChoices = choices.extend({
  ...{ accountId: uuid, version: z.number().int(), digest_day: mailChoices.digest_day.optional() },
});
export type VersionedChoices = z.infer<typeof versionedChoices>;

/** An account and its signature, as a link in a mail has them. */
export const stopToken = z
  .string()
  .max(200, { abort: true })
  .regex(/^[\w.-]+$/);

export const mailCommands = commands({
  /** Changes what is given. A daily or weekly mail that waits comes at its new time. */
  changeMailChoices: {
    request: z.object({ accountId: uuid, choices: choices.partial() }),
    reply: shownMailChoices,
    errors: ['invalid_time_zone'],
    isIdempotent: true,
  },

  /** Ends the mails about monitors and jobs of the account that the token names. */
  stopEventMails: {
    request: z.object({ token: stopToken }),
    reply: z.object({}),
    errors: ['invalid_mail_token'],
    isIdempotent: true,
  },
});
