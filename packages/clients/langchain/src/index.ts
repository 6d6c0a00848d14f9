export { ApiError, TranscriptsError } from '@transcript-delivery/sdk';
export {
  TranscriptLoader,
  type TranscriptLoaderOptions,
  type TranscriptSelection,
} from './loader.ts';
export type { LoadFailure, TranscriptMetadata } from './transcript-documents.ts';
