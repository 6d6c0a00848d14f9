import { singleAudio } from '../catalogue/tracks.ts';
import type { ByClient, Playability, Video } from '../catalogue/video.ts';
import { expecting, type SpecialRow, transcript } from './special-video.ts';

const noCaptions: Pick<Video, 'tracks' | 'audioTracks'> = { tracks: [], audioTracks: singleAudio([]) };

const closed = (id: string, behaviour: string, playability: Playability): SpecialRow => ({
  id,
  behaviour,
  expect: expecting('Unavailable'),
  video: { ...noCaptions, playability: { '*': playability } },
});

const PRIVATE_MESSAGE = 'This is a private video. Please sign in to verify that you may see it.';
const notOnVisionOs: ByClient<Playability> = {
  VISIONOS: { status: 'UNPLAYABLE', reason: 'This video is not available' },
};

/** Whether there is a video to read at all. */
export const availabilityRows: readonly SpecialRow[] = [
  closed('private_001', 'LOGIN_REQUIRED, "This video is private"', {
    status: 'LOGIN_REQUIRED',
    reason: 'This video is private',
    messages: [PRIVATE_MESSAGE],
    subreason: 'If the owner of this video has granted you access, please sign in.',
    hidesDetails: true,
  }),
  closed('privateSub1', 'LOGIN_REQUIRED without a reason, only a subreason', {
    status: 'LOGIN_REQUIRED',
    messages: [PRIVATE_MESSAGE],
    subreason: "Sign in if you've been granted access to this video",
    hidesDetails: true,
  }),
  closed('deleted_001', 'ERROR, "This video is unavailable"', {
    status: 'ERROR',
    reason: 'This video is unavailable',
    hidesDetails: true,
  }),
  closed('membersOnly', 'UNPLAYABLE, for members of a level', {
    status: 'UNPLAYABLE',
    reason:
      "This video is available to this channel's members on level: Patrons (or any higher priced level).",
  }),
  closed('musicPrem01', 'UNPLAYABLE, Music Premium members only', {
    status: 'UNPLAYABLE',
    reason: 'This video is only available to Music Premium members',
  }),
  closed('ageLimit_01', 'LOGIN_REQUIRED, age-restricted', {
    status: 'LOGIN_REQUIRED',
    reason: 'This video may be inappropriate for some users.',
    subreason: 'Sign in to confirm your age',
  }),
  closed('ageVerify_1', 'AGE_VERIFICATION_REQUIRED', {
    status: 'AGE_VERIFICATION_REQUIRED',
    reason: 'This video may be inappropriate for some users.',
  }),
  closed('regionBlk01', 'UNPLAYABLE, not in this country', {
    status: 'UNPLAYABLE',
    reason: 'The uploader has not made this video available in your country',
  }),
  closed('terminated1', 'UNPLAYABLE, the uploader’s account was terminated', {
    status: 'UNPLAYABLE',
    reason:
      'This video is no longer available because the account associated with this video has been terminated.',
    hidesDetails: true,
  }),
  closed('postLive_01', 'UNPLAYABLE, the recording of a live stream is not available', {
    status: 'UNPLAYABLE',
    reason: 'This live stream recording is not available.',
  }),
  {
    id: 'liveNow_001',
    behaviour: 'OK, live now, no captions yet',
    expect: expecting('NotYet', 'no captions for now; only a short negative may be kept'),
    video: { ...noCaptions, liveState: 'live', lengthSeconds: 0 },
  },
  {
    id: 'upcoming_01',
    behaviour: 'LIVE_STREAM_OFFLINE, begins in 18 hours',
    expect: expecting('NotYet', 'nothing durable may be kept'),
    video: {
      ...noCaptions,
      liveState: 'upcoming',
      lengthSeconds: 0,
      playability: {
        '*': {
          status: 'LIVE_STREAM_OFFLINE',
          reason: 'This live event will begin in 18 hours.',
          startsInSeconds: 18 * 3_600,
        },
      },
    },
  },
  {
    id: 'visionNope1',
    behaviour: 'UNPLAYABLE for VISIONOS, OK for all others',
    expect: transcript('one client’s UNPLAYABLE is not a fact about the video'),
    video: { playability: notOnVisionOs },
  },
  {
    id: 'madeForKids',
    title: 'Counting Song for Children',
    behaviour: 'made for kids: UNPLAYABLE for VISIONOS, OK for all others',
    expect: transcript(),
    video: { playability: notOnVisionOs },
  },
];
