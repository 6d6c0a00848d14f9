import PostalMime from 'postal-mime';

export interface CaughtMail {
  readonly id: number;
  readonly receivedAt: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailbox {
  add(raw: Buffer, envelope: { from: string; to: readonly string[] }): Promise<CaughtMail>;
  /** Newest first; to one address where one is given, whatever its case. */
  list(to?: string): readonly CaughtMail[];
}

/** Keeps the newest mails in memory: mails of a local run are worth nothing tomorrow. */
export const createMailbox = (capacity = 1_000): Mailbox => {
  let mails: readonly CaughtMail[] = [];
  let lastId = 0;
  return {
    add: async (raw, { from, to }) => {
      const parsed = await PostalMime.parse(raw);
      const { subject = '', text = '', html = '' } = parsed;
      lastId += 1;
      const mail = { id: lastId, receivedAt: new Date().toISOString(), from, to, subject, text, html };
      mails = [mail, ...mails].slice(0, capacity);
      return mail;
    },
    list: (to) => {
      const recipient = to?.toLowerCase();
      return recipient
        ? mails.filter((mail) => mail.to.some((address) => address.toLowerCase() === recipient))
        : mails;
    },
  };
};
