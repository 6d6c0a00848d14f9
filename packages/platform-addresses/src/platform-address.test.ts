import { describe, expect, it } from '@jest/globals';
import { parsePlatformAddress } from './links.ts';

const ID = 'dQw4w9WgXcQ';
const video = { kind: 'video', id: ID };
const other = { kind: 'other' };

describe('parsePlatformAddress', () => {
  it.each([
    ID,
    ` ${ID}\n`,
    `https://www.youtube.com/watch?v=${ID}`,
    `http://www.youtube.com/watch?v=${ID}`,
    `https://youtube.com/watch?v=${ID}`,
    `https://m.youtube.com/watch?v=${ID}`,
    `https://music.youtube.com/watch?v=${ID}&list=RDAMVM${ID}`,
    `https://gaming.youtube.com/watch?v=${ID}`,
    `https://www.youtube.com/watch?list=PLabcdefghijklmnop&index=3&v=${ID}&t=42s`,
    `https://www.youtube.com/watch?feature=share&amp;v=${ID}&amp;t=4`,
    `https://www.youtube.com/watch?v=${ID}#t=31m8s`,
    `https://www.youtube.com/watch#!v=${ID}`,
    `https://www.youtube.com/?v=${ID}`,
    `https://www.youtube.com/watch/${ID}`,
    `https://www.youtube.com/watch_popup?v=${ID}`,
    `https://www.youtube.com/watch?vi=${ID}`,
    `https://www.youtube.com/watch?v=${ID})`,
    `https://www.youtube.com/watch?v=${ID}?feature=youtu.be`,
    `https://www.youtube.com/watch%3Fv%3D${ID}`,
    `https://youtu.be/${ID}`,
    `https://youtu.be/${ID}?si=AbCdEfGhIjKlMnOp`,
    `https://youtu.be/${ID}?t=10`,
    `https://youtu.be/${ID}).`,
    `https://youtu.be/${ID} (watch this)`,
    `https://youtu.be/watch/${ID}`,
    `youtu.be/${ID}`,
    `//www.youtube.com/embed/${ID}`,
    `www.youtube.com/watch?v=${ID}`,
    `youtube.com:443/watch?v=${ID}`,
    `https://www.youtube.com/shorts/${ID}`,
    `https://youtube.com/shorts/${ID}/?feature=share`,
    `https://www.youtube.com/live/${ID}?feature=share`,
    `https://www.youtube.com/embed/${ID}?rel=0&autoplay=1`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
    `https://youtube-nocookie.com/v/${ID}`,
    `https://www.youtube.com/v/${ID}&hl=en_US`,
    `https://www.youtube.com/vi/${ID}`,
    `https://www.youtube.com/e/${ID}`,
    `https://www.youtube.com/EMBED/${ID}`,
    `HTTPS://WWW.YOUTUBE.COM/watch?v=${ID}`,
    `https://YouTu.Be/${ID}`,
    `https://www.youtube.com./watch?v=${ID}`,
    `https://www.youtubekids.com/watch?v=${ID}`,
    `https://youtube.googleapis.com/v/${ID}`,
    `https://www.youtube.com/attribution_link?a=x1&u=%2Fwatch%3Fv%3D${ID}%26feature%3Dshare`,
    `https://www.youtube.com/oembed?url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${ID}&format=json`,
    `https://www.youtube.com/oembed?url=http://youtu.be/${ID}`,
    `https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${ID}&gl=DE`,
    `https://www.youtube.com/signin?next=%2Fwatch%3Fv%3D${ID}`,
    `<https://youtu.be/${ID}>`,
    `vnd.youtube:${ID}`,
    `vnd.youtube://${ID}?vndapp=youtube_mobile`,
    `youtube://www.youtube.com/watch?v=${ID}`,
    `youtube://watch?v=${ID}`,
    `intent://www.youtube.com/watch?v=${ID}#Intent;scheme=https;end`,
    `https://youtu.be/watch?v=${ID}`,
    `https://youtu.be/watch?feature=x&v=${ID}`,
    `https://www.google.com/url?sa=t&q=https%3A%2F%2Fyoutu.be%2F${ID}`,
    `https://accounts.google.com/ServiceLogin?continue=https%3A%2F%2Fwww.youtube.com%2Fsignin%3Fnext%3D%252Fwatch%253Fv%253D${ID}`,
    `https%3A%2F%2Fyoutu.be%2F${ID}`,
    `https://www.youtube.com/watch\\?v\\=${ID}`,
    `https://studio.youtube.com/video/${ID}/edit`,
    `https://i.ytimg.com/vi/${ID}/hqdefault.jpg`,
    `\u200b\ufeffhttps://youtu.be/${ID}\u2060`,
    `"https://youtu.be/${ID}"`,
    `\u300chttps://youtu.be/${ID}\u300d`,
    `https://youtu.be/${ID}\u3002`,
    `${ID}.`,
    `ftp://youtube.com/watch?v=${ID}`,
    `https://www.youtubeeducation.com/embed/${ID}?si=x`,
    `https://youtu.be/${ID.replace('w', '%77')}`,
    `https://www.youtube.com/shorts/${ID.replace('w', '%2577')}`,
    `https://www.youtube.com/watch?v=3D${ID}&t=3D4s`,
    `https://www.youtube.com/watch_videos?video_ids=${ID}`,
    `https://www.youtube.com/live_chat?is_popout=1&v=${ID}`,
    `https://www.youtube.com/api/timedtext?v=${ID}&lang=en&fmt=json3`,
    `https://www.youtube.com/get_video_info?video_id=${ID}`,
    `https://www.youtube.com/SomeName?v=${ID}`,
    `https://www-youtube-com.translate.goog/watch?v=${ID}&_x_tr_sl=en&_x_tr_tl=de`,
  ])('finds the video in %s', (address) => {
    expect(parsePlatformAddress(address)).toEqual(video);
  });

  const CHANNEL = 'UCabcdefghijklmnopqrst-v';
  const PLAYLIST = 'PLabcdefghijklmnop';

  it.each([
    CHANNEL,
    `https://www.youtube.com/channel/${CHANNEL}`,
    `https://www.youtube.com/channel/${CHANNEL}/videos?view=0`,
    `HTTP://M.YOUTUBE.COM/channel/${CHANNEL}/`,
    `https://music.youtube.com/channel/${CHANNEL}`,
    `https://music.youtube.com/browse/${CHANNEL}`,
    `https://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}`,
    `${CHANNEL},`,
  ])('finds the channel id in %s', (address) => {
    expect(parsePlatformAddress(address)).toEqual({ kind: 'channel', id: CHANNEL });
  });

  it.each([
    ['@Handle', '@handle'],
    ['https://www.youtube.com/@Handle.Of-Mine_1', '@handle.of-mine_1'],
    ['https://www.youtube.com/@handle/shorts?si=x', '@handle'],
    ['youtube.com/@%D7%A9%D7%9C%D7%95%D7%9D', '@שלום'],
    ['@cafe\u0301', '@caf\u00e9'],
    ['https://www.youtube.com/@cafe%CC%81/videos', '@caf\u00e9'],
    ['@handle.', '@handle'],
    ['https://www.youtube.com/feeds/videos.xml?user=somename', 'user/somename'],
    ['https://www.youtube.com/c/SomeName', 'c/SomeName'],
    ['https://www.youtube.com/user/somename/videos', 'user/somename'],
    ['https://www.youtube.com/SomeName', 'SomeName'],
  ])('finds in %s a channel that only the platform can resolve', (address, name) => {
    expect(parsePlatformAddress(address)).toEqual({ kind: 'channel_name', name });
  });

  it.each([
    PLAYLIST,
    `VL${PLAYLIST}`,
    `https://www.youtube.com/playlist?list=${PLAYLIST}`,
    `https://music.youtube.com/playlist?list=${PLAYLIST}&si=x`,
    `https://www.youtube.com/watch?list=${PLAYLIST}`,
    `https://www.youtube.com/embed/videoseries?list=${PLAYLIST}`,
    `https://www.youtube.com/embed?listType=playlist&amp;list=${PLAYLIST}`,
    `https://music.youtube.com/browse/VL${PLAYLIST}`,
    `https://music.youtube.com/browse/MPSP${PLAYLIST}`,
    `https://www.youtube.com/view_play_list?p=${PLAYLIST}`,
    `https://www.youtube.com/p/${PLAYLIST}`,
    `https://www.youtube.com/course?list=${PLAYLIST}`,
    `https://www.youtube.com/feeds/videos.xml?playlist_id=${PLAYLIST}`,
    `(https://www.youtube.com/playlist?list=${PLAYLIST})`,
  ])('finds the playlist in %s', (address) => {
    expect(parsePlatformAddress(address)).toEqual({ kind: 'playlist', id: PLAYLIST });
  });

  it('reads several videos in one address as no channel', () => {
    expect(
      parsePlatformAddress(`https://www.youtube.com/watch_videos?video_ids=${ID},aqz-KE-bpKQ&x=1`),
    ).toEqual({
      kind: 'videos',
      ids: [ID, 'aqz-KE-bpKQ'],
    });
  });

  it('reads a list key', () => {
    expect(parsePlatformAddress('list:k3y_-')).toEqual({ kind: 'list', key: 'k3y_-' });
  });

  it.each([
    'https://www.youtube.com/results?search_query=cats',
    'https://www.youtube.com/',
    'https://www.youtube.com/feed/trending',
    'https://www.youtube.com/robots.txt',
    ...[
      'live_chat?v=short',
      'iframe_api',
      'intl/en/about',
      'yt/about',
      'youtubei/v1/player',
      'opensearch',
      'logout',
    ].map((page) => `https://www.youtube.com/${page}`),
    'https://www.youtube.com/channel/UCtooShort',
    'https://www.youtube.com/playlist?list=',
    'https://youtu.be/',
    'https://www.youtube.com/oembed?url=https%3A%2F%2Fexample.com',
    'https://www.youtube.com/feeds/videos.xml',
    `https://www.youtube.com/redirect?q=${'youtube.com/redirect?q='.repeat(20)}${ID}`,
    'list:no such key',
    'https://www.youtube.com/%00name',
    '@han\u0000dle',
    '@han\ud800dle',
    '@',
  ])('sees that %s names no video, channel or playlist', (address) => {
    expect(parsePlatformAddress(address)).toEqual(other);
  });

  it.each([
    ['', 'nothing'],
    [`${ID}x`, 'a 12-character id, which is never cut'],
    [ID.slice(1), 'a 10-character id'],
    [`https://www.youtube.com/watch?v=${ID}x`, 'a 12-character id in a URL'],
    [`https://youtu.be/${ID}x`, 'a 12-character id in a short URL'],
    [`https://www.youtube.com/shorts/${ID}_`, 'a 12-character id in a path'],
    ['https://www.youtube.com/watch?v=', 'an empty id'],
    [`https://evil.example/watch?v=${ID}`, 'another host'],
    [`https://youtube.com.evil.example/watch?v=${ID}`, 'a host that only begins like ours'],
    [`https://notyoutube.com/watch?v=${ID}`, 'a host that only ends like ours'],
    [`https://youtube.com@evil.example/watch?v=${ID}`, 'a host hidden behind user information'],
    [`https://youtu.be/${ID}|https://youtu.be/aqz-KE-bpKQ`.replace(ID, 'short'), 'one of several addresses'],
    [String.raw`https://www.youtube.com/@some\137name`, 'a name with an escape that is not known'],
    [String.raw`https://www.youtube.com/@some\name`, 'a name with a backslash'],
    ['https://www.youtube.com/@some\nname', 'a name in two lines'],
    [`javascript:alert("${ID}")`, 'a script'],
    ['https://[::1', 'no URL at all'],
    [`dQw4w9WgXc\u0000`, 'a NUL'],
    [`https://youtu.be/${ID}${'?a'.repeat(1_100)}`, 'more than 2,048 characters'],
  ])('refuses %j: %s', (address) => {
    expect(parsePlatformAddress(address)).toBeNull();
  });
});
