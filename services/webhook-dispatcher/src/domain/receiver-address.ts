import type { ReceiverForm } from '@tds/contracts';

const SHOWN_CHARACTERS = 4;

/** Every message of a chat service goes through one connection at a time: it wants them in order, and counts them. */
export const isChat = (form: ReceiverForm): boolean => form !== 'signed';

/**
 * What is shown of an address: all of it, or of a chat service, whose address is its secret, the host and the last characters. That is
 * no URL, so nothing can be sent to it.
 */
export const shownAddress = (form: ReceiverForm, { href, host }: URL): string =>
  isChat(form) ? `${host}/...${href.slice(-SHOWN_CHARACTERS)}` : href;

/** The host of an address as `shownAddress` shows it. */
export const hostOfShown = (form: ReceiverForm, url: string): string =>
  new URL(isChat(form) ? `https://${url}` : url).hostname;
