import type { Page } from '@tds/browser';
import type { Customer } from '#support/testing';
import { type Guest, goTo, type Place, signedIn } from './dashboard.ts';

export const OPEN = 'Read a transcript';
export type Cue = { readonly start: number; readonly duration: number; readonly text: string };

export const article = (page: Page) => page.getByRole('article', { name: 'Transcript' });
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);
export const shownWords = async (page: Page): Promise<string[]> =>
  wordsOf((await article(page).locator('[data-passage]').allTextContents()).join(' '));

export const cuesOf = async (customer: Customer, query: string): Promise<Cue[]> =>
  (await customer.get(`/v1/transcript?${query}&format=json`)).json<{ cues: Cue[] }>().cues;

/** Opens what was pasted. */
export const open = async (place: Place, { visitor }: Guest, input: string): Promise<void> => {
  await goTo(place, visitor, '/read', OPEN);
  await visitor.page.getByLabel('Video').fill(input);
  await visitor.page.getByRole('button', { name: 'Open' }).click();
};

/** Opens the tools of the reading page, which are closed so that the text stands above. */
export const openTools = (page: Page): Promise<void> => page.getByText('Language and download').click();

/** A guest who reads a video that is cached. */
export const readerOf = async (place: Place, video: string): Promise<Guest> => {
  const guest = await signedIn(place);
  await guest.customer.get(`/v1/transcript?video_id=${video}`);
  await open(place, guest, video);
  await article(guest.visitor.page).waitFor();
  return guest;
};
