import { broken, RefusedAnswer } from '../../classification/refusal.ts';
import { bounds } from '../../config/bounds.ts';
import { parseAnswer } from '../../parse-answer.ts';
import type { Page, SearchItem, SearchType } from '../types.ts';
import { refuseErrorAlerts } from './alerts.ts';
import { continuedItems, nextTokenIn } from './continuation.ts';
import { each, inside, listInside } from './inside.ts';
import { readSearchItem } from './search-items.ts';

const SECTIONS = ['sectionListRenderer', 'contents'] as const;

const sectionsAt = (holder: unknown): readonly unknown[] | null =>
  Array.isArray(inside(holder, ...SECTIONS)) ? listInside(holder, SECTIONS, bounds.items) : null;

/** The sections of a search page, of a search tab inside a channel, or of a continuation of either. */
const sectionsOf = (answer: unknown): readonly unknown[] | null => {
  const results = inside(answer, 'contents', 'twoColumnSearchResultsRenderer', 'primaryContents');
  const tabs = listInside(answer, ['contents', 'twoColumnBrowseResultsRenderer', 'tabs']);
  const found = [results, ...each(tabs, 'expandableTabRenderer').map((tab) => inside(tab, 'content'))];
  return found.map(sectionsAt).find((sections) => sections !== null) ?? continuedItems(answer);
};

const entriesOf = (sections: readonly unknown[]): readonly unknown[] =>
  sections.flatMap((section) => {
    const inner = inside(section, 'itemSectionRenderer');
    // A continuation may hold results that stand in no section.
    return inner === undefined ? [section] : listInside(inner, ['contents'], bounds.items);
  });

/** Reads one page; results of another type than asked for are left out, as are shelves with all that is in them. */
export const readSearch = (body: string, type: SearchType): Page<SearchItem> => {
  const answer: unknown = parseAnswer(body);
  refuseErrorAlerts(answer);
  const sections = sectionsOf(answer);
  if (sections === null) throw new RefusedAnswer(broken('no_results_list'));
  const read = entriesOf(sections).slice(0, bounds.items).map(readSearchItem);
  const results = read.filter((one) => one !== null && one !== 'malformed');
  return {
    items: results.filter((one) => one.type === type),
    next: nextTokenIn(sections),
    omitted: read.filter((one) => one === 'malformed').length,
  };
};
