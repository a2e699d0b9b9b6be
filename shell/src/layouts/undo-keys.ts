// Loaded with the first notification that has an Undo; the listener stays.

/** The keys that undo elsewhere press the newest notification's Undo: it is hard to reach by keyboard. */
function pressUndo(event: KeyboardEvent): void {
  const { target, key, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (event.defaultPrevented || key.toLowerCase() !== 'z' || shiftKey || altKey || !(ctrlKey || metaKey)) return;
  // A field has an undo of its own, and a dialog comes first.
  if (target instanceof Element && target.closest('input, textarea, select')) return;
  if (document.querySelector('dialog[open]')) return;
  const newest = [...document.querySelectorAll<HTMLElement>('[popover] [aria-keyshortcuts]')].at(-1);
  if (!newest) return;
  event.preventDefault();
  newest.click();
}

addEventListener('keydown', pressUndo);

export {};
