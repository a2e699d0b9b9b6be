import { useEffect, useEffectEvent } from 'react';
import { readStorage, writeStorage } from '../host/storage.ts';

/** Where drafts are stored while the page isn't shown: during a reload, or until a phone comes back to it. */
const storageKey = 'clinic:drafts';

let known: Map<string, unknown> | undefined;

/** Forms on the page now: how to read their values. */
const open = new Map<string, () => unknown>();

/** Values of forms whose key names no person, kept until the next page is shown. */
const left = new Map<string, unknown>();

function drafts(): Map<string, unknown> {
  if (!known) {
    known = new Map(takeCarried());
    addEventListener('pagehide', carryDrafts);
    // Phones end pages in the background without another word.
    document.addEventListener('visibilitychange', () => (document.hidden ? carryDrafts() : unstore()));
  }
  return known;
}

const unstore = (): unknown => writeStorage('sessionStorage', storageKey);

function takeCarried(): [string, unknown][] {
  const text = readStorage('sessionStorage', storageKey);
  unstore();
  return text === undefined ? [] : (JSON.parse(text) as [string, unknown][]);
}

/**
 * Values of a form that was left without sending it: an expired session leads to the login page and back, and nobody should
 * have to type everything again. In memory only while the page is shown; see {@link carryDrafts}.
 *
 * @param key - identifies the form and its owner, so that nobody sees another person's text
 */
export function draftOf<Fields>(key: string): Fields | undefined {
  // Only the form that wrote a key reads it.
  return (drafts().get(key) ?? left.get(key)) as Fields | undefined;
}

/** Keeps a form's values when it is removed; without values, forgets them, and what was sent from it. */
export function keepDraft(key: string, fields?: unknown): void {
  if (fields !== undefined) drafts().set(key, fields);
  else for (const one of [key, attemptFrom(key)]) drafts().delete(one);
}

/** Where the last attempt to send a form is kept, and forgotten with the form's values. @param key - as in {@link draftOf} */
export const attemptFrom = (key: string): string => `sent ${key}`;

/**
 * Keeps a form's values when it is removed, and when the page is reloaded.
 *
 * @param key - as in {@link draftOf}, which returns them
 * @param read - returns the form's values, never a password; `undefined` if there is nothing to keep
 * @param whenLeft - `forget`: drop them once the visitor is elsewhere, because the key names no person; but not while the
 *   other page can't be shown, or while a new version is loaded for it. `drop`: at once, as of a dialog that was cancelled
 *   or has done its work
 */
export function useDraft(key: string, read: () => unknown, whenLeft: 'keep' | 'forget' | 'drop' = 'keep'): void {
  const values = useEffectEvent(read);
  useEffect(() => {
    open.set(key, () => values());
    return () => {
      // After a log-out nothing is kept.
      if (!open.delete(key)) return;
      if (whenLeft === 'forget') left.set(key, values());
      else keepDraft(key, whenLeft === 'keep' ? values() : undefined);
    };
  }, [key, whenLeft]);
}

/** Drops what was kept only until the next page is shown; called by the shell alone, which knows. */
export function forgetLeft(): void {
  for (const key of left.keys()) keepDraft(key);
  left.clear();
}

/** Forgets everything that was typed, also in the forms on the page: whoever comes next is somebody else. */
export function forgetDrafts(): void {
  for (const some of [drafts(), open, left]) some.clear();
  unstore();
}

/** Carries all drafts across the next reload, by whoever triggers it. */
export function carryDrafts(): void {
  for (const [key, fields] of left) keepDraft(key, fields);
  for (const [key, read] of open) keepDraft(key, read());
  if (drafts().size > 0) writeStorage('sessionStorage', storageKey, JSON.stringify([...drafts()]));
}
