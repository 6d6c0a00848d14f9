import { type Channel, channelByHandle, channelById } from './channels.ts';
import { giantChannel } from './giant-channel.ts';

export const channelOf = (id: string, seed: number): Channel | undefined =>
  id === giantChannel.id ? giantChannel : channelById(id, seed);

export const channelNamed = (handle: string, seed: number): Channel | undefined =>
  handle === giantChannel.handle ? giantChannel : channelByHandle(handle, seed);
