import type { components, operations, webhooks } from './generated/schema.ts';

type Schemas = components['schemas'];
type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never;

/** The JSON body that an operation of the API answers with this status. */
export type Answer<
  Id extends keyof operations,
  Status extends keyof operations[Id]['responses'] = 200 & keyof operations[Id]['responses'],
> = Json<operations[Id]['responses'][Status]>;
/** What may be left out may be `undefined`, too, as a variable is under `exactOptionalPropertyTypes`. */
type Lenient<Fields> = Fields extends unknown
  ? {
      [Name in keyof Fields]: Record<never, never> extends Pick<Fields, Name>
        ? Fields[Name] | undefined
        : Fields[Name];
    }
  : never;
export type Query<Id extends keyof operations> = Lenient<NonNullable<operations[Id]['parameters']['query']>>;
export type Body<Id extends keyof operations> = Lenient<Json<NonNullable<operations[Id]['requestBody']>>>;

export type ErrorBody = Schemas['Error'];
export type ErrorCode = ErrorBody['code'];
export type ErrorClass = ErrorBody['errorClass'];

type WebhookEvents = { [Kind in keyof webhooks]: Json<NonNullable<webhooks[Kind]['post']['requestBody']>> };
/** The body of a webhook delivery; `type` names its kind. */
export type WebhookEvent = {
  [Kind in keyof WebhookEvents]: Omit<WebhookEvents[Kind], 'type'> & { readonly type: Kind };
}[keyof WebhookEvents];

type AnyTranscript = Answer<'getTranscript'>;
export type Cue = Extract<AnyTranscript, readonly unknown[]>[number];
export type Passage = NonNullable<
  Extract<Exclude<AnyTranscript, readonly unknown[]>, { format: 'json' }>['passages']
>[number];
export type TranscriptFormat = NonNullable<Query<'getTranscript'>['format']>;
type TranscriptFacts = Omit<
  Exclude<AnyTranscript, readonly unknown[]>,
  'format' | 'cues' | 'passages' | 'text'
>;
/** A transcript: `cues` if the format is json, with `passages` if they were asked for; else `text`. */
export type Transcript<Format extends TranscriptFormat = TranscriptFormat> = Format extends 'json'
  ? TranscriptFacts & {
      readonly format: 'json';
      readonly cues: readonly Cue[];
      readonly passages?: readonly Passage[];
    }
  : TranscriptFacts & { readonly format: Format; readonly text: string };

export type JobData = Answer<'getJob'>['job'];
export type JobSummary = Answer<'listJobs'>['jobs'][number];
export type JobProgress = Pick<JobData, 'id' | 'status' | 'pause_reason' | 'error' | 'counts' | 'credits'>;
export type JobVideo = Answer<'listJobVideos'>['videos'][number];
export type JobManifest = Answer<'getJobManifest'>;
export type ArchiveIndex = Answer<'getJobArchive'>;
export type ListedVideo = Answer<'listVideos'>['videos'][number];
export type LibraryTranscript = Answer<'listLibrary'>['transcripts'][number];
export type LibraryPassage = Answer<'searchLibrary'>['results'][number];
export type Link = Answer<'getLink'>['link'];
export type Receiver = Answer<'getReceiver'>['receiver'];
export type SearchResult = Answer<'searchPage'>['results'][number];
export type Monitor = Answer<'getMonitor'>['monitor'];
export type MonitorVideo = Answer<'listMonitorVideos'>['videos'][number];
export type Match = Answer<'listMatches'>['matches'][number];
export type MonitorMatch = Answer<'listMonitorMatches'>['matches'][number];
export type ApiKey = Answer<'listKeys'>['keys'][number];
export type AppConnection = Answer<'listConnections'>['connections'][number];
export type NewApiKey = Answer<'createKey', 201>['key'];
export type Webhook = NonNullable<Answer<'getWebhook'>['webhook']>;
export type Delivery = Answer<'listDeliveries'>['deliveries'][number];
export type Account = Answer<'getAccount'>;
export type UsageDays = Exclude<Answer<'getUsage'>, { as_of: number }>;
export type LedgerPage = Extract<Answer<'getUsage'>, { as_of: number }>;
export type LedgerRow = LedgerPage['rows'][number];
export type LoggedRequest = Answer<'getRequest'>['request'];
export type Purchase = Answer<'listPurchases'>['purchases'][number];
export type Status = Answer<'getStatus'>;
