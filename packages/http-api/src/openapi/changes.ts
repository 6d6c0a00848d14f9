import { atomFeed } from '../atom.ts';
import { routes } from '../routes/index.ts';

/** The version in the description of the API. Every path of it begins with /v1. */
export const API_VERSION = '1.0.0';

export type ApiChange = {
  /** A UTC day, YYYY-MM-DD; no two changes have the same. */
  readonly date: string;
  readonly title: string;
  readonly text: string;
};

/** Changes that callers have to know, the newest first. */
export const apiChanges: readonly ApiChange[] = [
  {
    date: '2026-11-30',
    title: 'People are changed by people',
    text: 'Up to ten receivers at /v1/receivers get the events that they choose, beside the webhook: further servers with a secret of their own (signed), and channels of Slack, Discord and Teams. POST /v1/receivers/{receiverId}/replay sends again what has failed. Deliveries have receiver_id, which is a filter, and their attempts the errors refused and gone. A job or a monitor may name its receivers, and named_only receivers get only the events of what names them. The guide Receivers says more. POST /v1/links hands on a transcript that the account has received, or a quote of it, by a link that is read without an account; /v1/links lists the links and takes them back. GET, PUT and DELETE /v1/refill refill the account by itself, for sessions of owners and billing: below a threshold a block is bought, at most so much in a UTC month; POST /v1/refill/card sets up its card, and purchases have automatic. PATCH /v1/account names the account for their readers, and GET /v1/account has its name. Routes below /v1/account/people and GET /v1/account/audit take a session: a key or an app gets 401 session_required, and the clients have no such methods any more. Owners are mailed if an owner is invited, joins, leaves or changes. Mails about monitors and jobs are those of a person: PATCH /v1/account/mail changes only those of who is signed in, of every role (low_balance_threshold is of the account, for owners and billing), mail of a monitor is changed only by who made it (mail_of_another), and PUT /v1/monitors/{id}/mail and PUT /v1/jobs/{id}/mail choose for the person who is signed in. What concerns the account is mailed to all owners and billing. contents of listings, jobs and monitors may be streams: the broadcasts of a channel. Only an owner who leaves passes work on. The person of GET /v1/account has its daily_credit_cap. In new srt and vtt files captions that start together are one cue with their lines in order, and one without a duration stays until the next, at most 3 s; in srt ‹ stands for each <, ❴ and ❵ for each brace, and U+2060 behind the & of an entity. New md files have fewer backslashes, and entities in the place of some; a document of a job has Transcript 1 as a heading and the title below it. In front matter published is published_at and url is source. BibTeX of an undated video has no year, and the day of access as a note; in RIS and CSL-JSON ‹ stands for a < that would begin a tag.',
  },
  {
    date: '2026-11-29',
    title: 'Several people in one account, feeds, and work that belongs to its key',
    text: 'A connected app, and a key with a daily_credit_cap, change, retry, cancel and delete only jobs and monitors that they have begun, and rename, cap and end only themselves and keys that they created: anything else is 403 begun_by_another_key. Sessions and keys without a cap change everything, as before. Who changes auto_fetch or words of a monitor that then fetches has it from then on: its jobs are under the cap of that key and end with it, or with a session under no cap; key_id of the monitor says it. In new srt files look-alikes stand for what players would run: ‹ for <, ❴ and ❵ for a pair of braces; what was rendered before keeps its bytes. In RIS a comma ends the name of a channel, BibTeX has type = {Video}, and the key of a citation begins with video: if pandoc could not cite the id. The guide Files in other programs says what they read. In new files and in passages a song stands apart from speech, and a passage has half of the characters in a script without spaces. A document of a job lists the videos without a transcript, and says what is translated by machine. In APA a citation has no marks of direction. Matches of monitors, their trial and monitor.words_found have translated: words that a machine translated, which nobody said. GET /v1/matches lists the matches of all monitors, also as CSV, and passages of matches have the words that were found. Each monitor, and all matches, have an Atom feed by a secret address, which sessions create, renew and end at /v1/feeds. POST /v1/library/words has hint: what to do if nothing was received yet, and an invalid query is named. Accounts have people with roles, owner, member or billing. Keys, connections, jobs, monitors, purchases, usage, ledger and requests have person_id, and usage, ledger and requests have via, dashboard for work by hand; both are filters. A daily_credit_cap of a person holds for all their keys and sessions. The guide People of an account says more. mail of a monitor may be weekly, and mail_only_matches leaves out videos without a match. An app that signs in again at the same account keeps its connection, with what it has begun, and may from then on what was allowed last.',
  },
  {
    date: '2026-11-28',
    title: 'Found, quoted, cited, and one document of a job',
    text: 'Passages of speech without marks end where a clause ends; what was rendered before keeps its bytes. A library search finds words over the end of a passage and without accents, and answers their sentence. GET /v1/video/citation cites a video, or a second of it, in APA, BibTeX, RIS or CSL-JSON. GET /v1/library and GET /v1/library/search take format=csv: a page as a table, with the address of the next one in the header Link. GET /v1/jobs/{id}/document answers all transcripts of a job as one text, or in parts of max_words for notebooks. front_matter=true puts YAML for notes before a transcript in md, a file of a job, and the files of an archive. Monitors take words, which are looked for in the transcripts of new videos, the event monitor.words_found and GET /v1/monitors/{id}/matches have the matches. POST /v1/library/words tries words, and PATCH /v1/monitors/{id} changes words, mail and auto_fetch. Monitors and jobs take mail: now, daily or none; notify_email: true is mail: now. PATCH /v1/account/mail sets the time of the daily mail and the balance below which a mail comes; the link in each mail about monitors and jobs ends them. What has stopped is mailed once a day for each cause.',
  },
  {
    date: '2026-11-27',
    title: 'A text that people read, and languages as they ask for them',
    text: 'New files in clean, both and md are passages: some whole sentences each, which begin where a speaker or a chapter begins; md links each to its second of the video. Styled captions that show one text several times at once have it once, in every format. Files that exist stay as they are. With format=json, passages=true adds passages beside the cues, of at most passage_characters characters; files of jobs take the same. Assistants read passages in the place of captions: from_passage and next_passage of get_transcript replace from_cue and next_cue. language takes orig, the language that is spoken, and a list in order of preference such as de,en, in transcripts, jobs and monitors. GET /v1/video/languages lists the languages of a video. GET /v1/transcript takes words=true with format=json: the times of recognised words. GET /v1/transcript takes input and url, as GET /v1/video does. Videos have description, tags, view_count, thumbnail_url and chapters. Archives of jobs are in a folder with the name of the job, its channel or its playlist, their files bear the day of the video, and index.html lists them; manifests name the address, channel and length of each video. GET /v1/requests lists what was charged or failed in the last seven days, and GET /v1/requests/{requestId} finds a request by the id of its error. Assistants and other apps connect by OAuth 2.1, without a key: GET /v1/connections lists them, DELETE /v1/connections/{connectionId} disconnects one, and POST /v1/mcp answers 401 with WWW-Authenticate to a request without a credential, in the place of 403. A scope that an app lacks is 403 with WWW-Authenticate and needed_scopes. GET /v1/library lists the transcripts that the account has received, and GET /v1/library/search finds what is said in them, with the link to the second, for 0 credits. GET /v1/video and lists of videos have original_language, and cached_languages say which are translated. What is cached in the spoken language answers orig, and the other way round. get_transcript and start_job of assistants read orig unless language names another. GET /v1/jobs takes name, and GET /v1/billing/purchases takes unpaid.',
  },
  {
    date: '2026-11-23',
    title: 'A mail at the end of a job',
    text: 'POST /v1/jobs takes notify_email: true mails the holder when the job completes or fails. Jobs say it as notify_email. It is off by default.',
  },
  {
    date: '2026-09-05',
    title: 'Method handling',
    text: 'A known path answers 405 with Allow to other methods, and 204 to OPTIONS. docs_url leads to the section of the error class. Answers are no-store unless they say otherwise. The ledger and the account have their aliases. Unknown resource and action values answer 400.',
  },
  {
    date: '2026-09-04',
    title: 'The v1 surface',
    text: 'Accounts, keys, transcripts, facts, listing, resolve, bulk jobs and archives.',
  },
];

/** Where a change is described: its part of the page of changes. */
export const changeUrl = ({ date }: ApiChange, publicUrl: string): string =>
  `${publicUrl}/docs/changes#${date}`;

export const changesAtom = (publicUrl: string): string => {
  const self = `${publicUrl}${routes.changesFeed.path}`;
  const entries = apiChanges.map(({ title, text, ...change }) => {
    const url = changeUrl({ title, text, ...change }, publicUrl);
    return { id: url, url, title, text, updatedAt: `${change.date}T00:00:00Z` };
  });
  return atomFeed({
    ...{ id: self, self, url: `${publicUrl}/docs/changes`, updatedAt: entries[0]?.updatedAt ?? '', entries },
    title: 'Changes of the Transcript Delivery Service API',
  });
};
