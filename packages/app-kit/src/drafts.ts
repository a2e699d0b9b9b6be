const drafts = new Map<string, unknown>();

/**
 * What was typed into a form that was left unsent: an expired session leads to the login page and back, and nobody should
 * type it all again. Kept in memory only, for as long as the page lives.
 *
 * @param key - names the form and whose it is, so that nobody finds another's words
 */
export function draftOf<Fields>(key: string): Fields | undefined {
  // Whoever reads a key is who wrote it: a key names one form.
  return drafts.get(key) as Fields | undefined;
}

/** Keeps what a form holds when it goes away; without fields, forgets it. */
export function keepDraft(key: string, fields?: unknown): void {
  if (fields === undefined) drafts.delete(key);
  else drafts.set(key, fields);
}
