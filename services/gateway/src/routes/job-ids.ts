import { serviceError, uuid, videoId } from '@tds/contracts';

type WithParams = { readonly params: Readonly<Record<string, string>> };

/** Throws `invalid_job_id` for what cannot be one. */
export const jobIdOf = ({ params }: WithParams): string => {
  const id = uuid.safeParse(params.id);
  if (!id.success) throw serviceError('invalid_job_id');
  return id.data;
};

/** Throws `invalid_video_id` for what cannot be one. */
export const jobVideoIdOf = ({ params }: WithParams): string => {
  const id = videoId.safeParse(params.videoId);
  if (!id.success) throw serviceError('invalid_video_id');
  return id.data;
};
