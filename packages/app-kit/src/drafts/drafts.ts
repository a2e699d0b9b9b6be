import { useEffect } from 'react';
import { readStorage, writeStorage } from '../host/storage.ts';

/** Where drafts are stored during a reload that we trigger; removed from there right after it. */
const storageKey = 'clinic:drafts';

let known: Map<string, unknown> | undefined;

/** Forms on the page now: how to read their values. */
const open = new Map<string, () => unknown>();

/** Values of forms whose key names no person, kept until the next page is shown. */
const left = new Map<string, unknown>();

function drafts(): Map<string, unknown> {
  known ??= new Map(takeCarried());
  return known;
}

function takeCarried(): [string, unknown][] {
  const text = readStorage('sessionStorage', storageKey);
  writeStorage('sessionStorage', storageKey);
  return text === undefined ? [] : (JSON.parse(text) as [string, unknown][]);
}

/**
 * Values of a form that was left without sending it: an expired session leads to the login page and back, and nobody should
 * have to type everything again. In memory only, for the life of the page; see {@link carryDrafts}.
 *
 * @param key - identifies the form and its owner, so that nobody sees another person's text
 */
export function draftOf<Fields>(key: string): Fields | undefined {
  // Only the form that wrote a key reads it.
  return (drafts().get(key) ?? left.get(key)) as Fields | undefined;
}

/** Keeps a form's values when it is removed; without values, forgets them. */
export function keepDraft(key: string, fields?: unknown): void {
  if (fields === undefined) drafts().delete(key);
  else drafts().set(key, fields);
}

/**
 * Keeps a form's values when it is removed, and when the shell reloads the page for a new version.
 *
 * @param key - as in {@link draftOf}, which returns them
 * @param read - returns the form's values, never a password; `undefined` if there is nothing to keep. Must be a stable function
 * @param whenLeft - `forget`: drop them once the visitor is elsewhere, because the key names no person; but not while the
 *   other page can't be shown, or while a new version is loaded for it
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

/** Drops what was kept only until the next page is shown; called by the shell alone, which knows. */
export function forgetLeft(): void {
  for (const key of left.keys()) drafts().delete(key);
  left.clear();
}

/** Carries all drafts across the next reload; called by the shell alone, which triggers it. */
export function carryDrafts(): void {
  for (const [key, fields] of left) keepDraft(key, fields);
  for (const [key, read] of open) keepDraft(key, read());
  if (drafts().size > 0) writeStorage('sessionStorage', storageKey, JSON.stringify([...drafts()]));
}
