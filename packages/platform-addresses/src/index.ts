export { parsePlatformAddress } from './links.ts';
export * from './platform-urls.ts';
export { type FoundLinks, findVideoLinks } from './video-links.ts';
