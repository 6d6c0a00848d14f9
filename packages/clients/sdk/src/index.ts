export type {
  Account,
  Answer,
  ApiKey,
  AppConnection,
  ArchiveIndex,
  Body,
  Cue,
  Delivery,
  ErrorBody,
  ErrorClass,
  ErrorCode,
  JobData,
  JobManifest,
  JobProgress,
  JobSummary,
  JobVideo,
  LedgerPage,
  LedgerRow,
  LibraryPassage,
  LibraryTranscript,
  Link,
  ListedVideo,
  LoggedRequest,
  Match,
  Monitor,
  MonitorMatch,
  MonitorVideo,
  NewApiKey,
  Passage,
  Purchase,
  Receiver,
  SearchResult,
  Status,
  Transcript,
  TranscriptFormat,
  UsageDays,
  Webhook,
  WebhookEvent,
} from './api.ts';
export type { ArchiveFile, ArchiveOptions, ArchivePart, ArchiveProgress, DocumentOptions } from './archive.ts';
export { Transcripts, type TranscriptsOptions } from './client.ts';
export type { CreateOptions, RequestOptions } from './connection.ts';
export * from './errors.ts';
export type { Job, JobPause, SaveDocumentOptions, SaveOptions, WaitOptions } from './job.ts';
export type { Answered, Meta } from './meta.ts';
export type { Pages } from './pages.ts';
export type { NewJob } from './resources/jobs.ts';
export type { TranscriptFile } from './resources/transcripts.ts';
export type { SearchOptions } from './resources/videos.ts';
export { type VerifyOptions, verifyWebhook } from './verify-webhook.ts';
