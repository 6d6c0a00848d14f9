export { captionPath, isExpired, needsToken } from './caption-url.ts';
export type { CaptionReader } from './read-captions.ts';
