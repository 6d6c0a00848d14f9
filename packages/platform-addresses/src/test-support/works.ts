import { parsePlatformAddress } from '../links.ts';
import { findVideoLinks } from '../video-links.ts';

/** For counted steps. */
export const works = {
  address: parsePlatformAddress,
  links: (text: string) => findVideoLinks(text, 500),
};
