import type { Impairment, PartState, StatusDay } from '@tds/contracts';
import type { StatusBody } from './status-body.ts';

/** What people read; in the order of the page. */
export const headlines: Readonly<Record<StatusBody['status'], string>> = {
  operational: 'Everything works',
  degraded: 'New transcripts are impaired',
  down: 'The service is down',
};

export const explanations: Readonly<Record<StatusBody['status'], string>> = {
  operational: 'Cached transcripts are served, and new ones are fetched.',
  degraded: 'Cached transcripts are served. New ones fail, wait, or take longer.',
  down: 'Nothing behind the API answers. A few cached transcripts may still be served.',
};

export const stateWords: Readonly<Record<PartState, string>> = {
  operational: 'works',
  degraded: 'impaired',
  down: 'down',
  unknown: 'not known',
};

export const dayWords: Readonly<Record<StatusDay['state'], string>> = {
  operational: 'no trouble',
  impaired: 'impaired',
  outage: 'outage; a tenth of what was charged is given back',
  unknown: 'not observed',
};

export const impairmentWords: Readonly<Record<Impairment, string>> = {
  relay: 'the video platform could not be reached',
  strategies: 'the video platform answered no kind of request with captions',
  capacity: "the day's fetches were used up",
  free_pool: "the day's fetches of free keys were used up",
  canary: 'known videos could not be fetched',
  credits: 'credits could not be held',
  accounts: 'keys could not be checked',
};
