export * from './platform-address.ts';
export * from './platform-urls.ts';
export * from './video-links.ts';
