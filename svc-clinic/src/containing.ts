import { searchKey } from '@clinic/contracts/search-key';
import { escapeRegex } from '@clinic/service-kit';

/**
 * Filter for a field of search keys that contains a text, however it is typed; a text without visible characters matches
 * nothing. A substring can't bound an index scan; the open range beside it lets the database scan the field's index instead
 * of the records, which is fast enough for some hundred people.
 *
 * @param lastLines - search keys; a field that ends with one of them as a line of its own matches, too
 */
export function containing(
  text: string,
  lastLines: readonly string[] = [],
): { $regex: string; $gte: string } | { $in: [] } {
  const key = searchKey(text);
  if (key === '') return { $in: [] };
  return { $regex: [escapeRegex(key), ...lastLines.map((line) => `\\n${escapeRegex(line)}$`)].join('|'), $gte: '' };
}
