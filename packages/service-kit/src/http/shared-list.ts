import type { PageQuery } from './paging.ts';
import { SharedAnswers } from './shared-answer.ts';

/**
 * Reads a public list once for all who ask for the same page at the same time. The read begins after each of their requests,
 * so that they see every change they know of. Whole lists are streamed to each reader alone.
 *
 * @param read - reads a list that is the same for every caller
 */
export function sharedList<Query extends PageQuery, List>(
  read: (query: Query) => Promise<List>,
): (query: Query) => Promise<List> {
  const pages = new SharedAnswers(read);
  return (query) => (query.limit === undefined ? read(query) : pages.ask(query));
}
