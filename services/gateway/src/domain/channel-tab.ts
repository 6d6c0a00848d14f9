import type { ListingContents } from '@tds/contracts';

const TAB = /^[^?#]*\/(videos|shorts|streams)\/?(?:[^\w/-]|$)/i;

/** What is meant of a channel, at every door alike: what was chosen, else the tab that the address names, else all. */
export const chooseContents = (input: string, chosen: ListingContents | undefined): ListingContents =>
  chosen ?? (TAB.exec(input)?.[1]?.toLowerCase() as ListingContents | undefined) ?? 'all';
