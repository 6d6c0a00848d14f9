import { type ServiceError, serviceError } from '@tds/errors';
import { parsePlatformAddress } from '@tds/platform-addresses';

/** The ways in which a query names its video. */
export type VideoSource = {
  readonly video_id: string | undefined;
  readonly input: string | undefined;
  readonly url: string | undefined;
};

const listSources = ({ video_id, input, url }: VideoSource): string[] =>
  [video_id, input, url].filter((value) => value !== undefined);

export const hasVideo = (source: VideoSource): boolean => listSources(source).length > 0;

/** The one video that a query names; null if it names none, several, or something else. */
export const findVideo = (source: VideoSource): string | null => {
  if (listSources(source).length !== 1) return null;
  if (source.video_id !== undefined) return source.video_id;
  const address = parsePlatformAddress(source.input ?? source.url ?? '');
  return address?.kind === 'video' ? address.id : null;
};

/** What is wrong with a query in which `findVideo` finds none. */
export const videoFault = (source: VideoSource): ServiceError => {
  const [first, ...extras] = listSources(source);
  if (first === undefined)
    return serviceError('unknown_query_mode', { message: 'Send one of video_id, input and url.' });
  if (extras.length > 0) {
    return serviceError('conflicting_query_modes', {
      message: 'Send exactly one of video_id, input and url.',
    });
  }
  return parsePlatformAddress(first) === null
    ? serviceError('invalid_video_id', { message: 'This is no address of a video.' })
    : serviceError('single_video_required');
};

/** The one video that a query names; throws what is wrong. */
export const readVideo = (source: VideoSource): string => {
  const id = findVideo(source);
  if (id === null) throw videoFault(source);
  return id;
};
