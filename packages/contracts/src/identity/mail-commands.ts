import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { monitorId, namedObject, uuid } from '../ids.ts';
import { monitorMail } from '../mail.ts';

const MAX_ZONE_LENGTH = 64;

/** What a person chooses about mails of monitors and jobs. */
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

/** What a person chose as of this version; without one, from the release before, the oldest owner. */
export const versionedChoices = choices.extend({
  ...{ accountId: uuid, personId: uuid.optional(), version: z.number().int() },
  digest_day: mailChoices.digest_day.optional(),
});
export type VersionedChoices = z.infer<typeof versionedChoices>;

const choiceOfWork = {
  ...{ accountId: uuid, personId: uuid },
  /** A monitor or a job. */
  workId: z.union([monitorId, uuid]),
};
/** Null: as by default. */
const chosen = { mail: monitorMail.nullable() };
/** By default it mails as this says, but only who made it, or has their work. */
const byDefault = { madeBy: uuid.nullable(), default: monitorMail };

/** How a person is mailed of a monitor or a job. */
export const mailOfWork = namedObject('MailOfWork', {
  mail: monitorMail.describe('When you are mailed: at once, once a day, once a week, or never'),
  is_chosen: z.boolean().describe('Whether you chose it; else it is as by default'),
});

/** How a person is mailed of a monitor or a job as of this version. */
export const versionedChoiceOfWork = z.object({ ...choiceOfWork, ...chosen, version: z.number().int() });

/** A person and a signature, as a link in a mail has them. */
export const stopToken = z
  .string()
  .max(200, { abort: true })
  .regex(/^[\w.-]+$/);

export const mailCommands = commands({
  /** Changes what is given. A daily or weekly mail that waits comes at its new time. */
  changeMailChoices: {
    /** Without a person, from the release before, the first one's. */
    request: z.object({ accountId: uuid, personId: uuid.optional(), choices: choices.partial() }),
    reply: shownMailChoices,
    errors: ['invalid_time_zone'],
    isIdempotent: true,
  },

  /** What a person has chosen for a monitor or a job of the account. */
  getMailOfWork: { request: z.object({ ...choiceOfWork, ...byDefault }), reply: mailOfWork },

  /** The caller knows that the account has this monitor or job. */
  chooseMailOfWork: {
    request: z.object({ ...choiceOfWork, ...byDefault, ...chosen }),
    reply: mailOfWork,
    errors: ['session_required'],
    isIdempotent: true,
  },

  /** Ends the mails that the token names: a person's of one monitor or job, or of all; or invitations to an address. */
  stopEventMails: {
    request: z.object({ token: stopToken }),
    reply: z.object({}),
    errors: ['invalid_mail_token'],
    isIdempotent: true,
  },
});
