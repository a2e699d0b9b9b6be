import { useEffect } from 'react';

/** Where drafts wait in the time of a reload that we make ourselves; taken out of there at once afterwards. */
const storageKey = 'clinic:drafts';

let known: Map<string, unknown> | undefined;

/** Forms that are on the page at the moment: how to read what they hold. */
const open = new Map<string, () => unknown>();

/** What forms held that are nobody's by name, until the page that was gone to is there. */
const left = new Map<string, unknown>();

function drafts(): Map<string, unknown> {
  known ??= new Map(takeCarried());
  return known;
}

function takeCarried(): [string, unknown][] {
  try {
    const text = sessionStorage.getItem(storageKey);
    sessionStorage.removeItem(storageKey);
    return text === null ? [] : (JSON.parse(text) as [string, unknown][]);
  } catch (error) {
    // A browser that lets pages store nothing.
    console.warn('Drafts could not be read', error);
    return [];
  }
}

/**
 * What was typed into a form that was left unsent: an expired session leads to the login page and back, and nobody should
 * type it all again. Kept in memory only, for as long as the page lives; see {@link carryDrafts}.
 *
 * @param key - names the form and whose it is, so that nobody finds another's words
 */
export function draftOf<Fields>(key: string): Fields | undefined {
  // Whoever reads a key is who wrote it: a key names one form.
  return (drafts().get(key) ?? left.get(key)) as Fields | undefined;
}

/** Keeps what a form holds when it goes away; without fields, forgets it. */
export function keepDraft(key: string, fields?: unknown): void {
  if (fields === undefined) drafts().delete(key);
  else drafts().set(key, fields);
}

/**
 * Keeps what a form holds when it goes away, and when a new version makes the shell load the page anew.
 *
 * @param key - as in {@link draftOf}, which gives it back
 * @param read - what the form holds, never a password; nothing when there is nothing to keep. The same function each time
 * @param whenLeft - `forget`: once the visitor is elsewhere it is gone, as the form is nobody's by name; but not while the other
 *   page can't be shown, or a new version is loaded for it
 */
export function useDraft(key: string, read: () => unknown, whenLeft: 'keep' | 'forget' = 'keep'): void {
  useEffect(() => {
    open.set(key, read);
    return () => {
      open.delete(key);
      if (whenLeft === 'keep') keepDraft(key, read());
      else left.set(key, read());
    };
  }, [key, read, whenLeft]);
}

/** Forgets what was left for a page that is there by now; only the shell, which knows, calls this. */
export function forgetLeft(): void {
  for (const key of left.keys()) drafts().delete(key);
  left.clear();
}

/** Takes all drafts across the reload that follows; only the shell, which makes it, calls this. */
export function carryDrafts(): void {
  for (const [key, fields] of left) keepDraft(key, fields);
  for (const [key, read] of open) keepDraft(key, read());
  try {
    if (drafts().size > 0) sessionStorage.setItem(storageKey, JSON.stringify([...drafts()]));
  } catch (error) {
    console.warn('Drafts could not be kept', error);
  }
}
