import { type Answers, answerFiles } from '@tds/simulators/platform/answers';

const ANY_ID = 'abcdefghij0';

/** Every player answer of a source with the video it is about, or any video if it names none. */
export const listPlayers = (answers: Answers) =>
  answerFiles.player.map(({ name }) => ({ file: name, videoId: answers.reading(name).video_id ?? ANY_ID }));

const readParts = new Set(['playabilityStatus', 'videoDetails', 'captions', 'microformat']);
const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** A player answer without parts that no reader uses, so that mutations affect the rest. */
export const essentialPlayer = (body: string): string => {
  const answer = JSON.parse(body);
  const pruned = (player: object) =>
    Object.fromEntries(
      Object.entries(player).map(([key, value]) => [
        key,
        isContainer(value) && !readParts.has(key) ? {} : value,
      ]),
    );
  return JSON.stringify(
    answer.playerResponse ? { playerResponse: pruned(answer.playerResponse) } : pruned(answer),
  );
};
