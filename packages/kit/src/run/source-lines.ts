import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** First in each bundle: traces name the lines of sources. The first trace reads the map; Node's own flag, each start, for 6 MB a process. */
const FRAME = /(file:\/\/\/[^\s()]+\.js):(\d+):(\d+)/;
const maps = new Map<string, SourceMap | null>();

const readMap = (bundle: string): SourceMap | null => {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${bundle}.map`), 'utf8')));
  } catch {
    return null; // Traces stay as they are.
  }
};

const toSource = (place: string, bundle: string, line: string, column: string): string => {
  const map = maps.get(bundle) ?? readMap(bundle);
  maps.set(bundle, map);
  const origin = map?.findOrigin(Number(line), Number(column));
  return origin && 'fileName' in origin
    ? `${new URL(origin.fileName, bundle).pathname}:${origin.lineNumber}:${origin.columnNumber}`
    : place;
};

Error.prepareStackTrace = (error, sites) => {
  const frames = sites.map((site) => `\n    at ${String(site).replace(FRAME, toSource)}`);
  return Error.prototype.toString.call(error) + frames.join('');
};
