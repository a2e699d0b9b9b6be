import type { LaterFiles } from '@clinic/contracts/remotes';
import { whenAppIsThere } from './app-arrival.ts';
import { keepPresses } from './kept-presses.ts';
import { createFileLoader } from './load-files.ts';
import { replacePage } from './replace-page.ts';
import { followActions, untilAtRest } from './at-rest.ts';
import { whenIdle } from './when-idle.ts';

declare global {
  /** Where the application renders while the page's HTML is shown: an element outside of the document. */
  // A property of the global object, which only `var` declares.
  // oxlint-disable-next-line no-var
  var clinicRoot: HTMLElement | undefined;
}

/** What people do to use a page. The first time, the application is loaded. */
const uses = ['pointerdown', 'touchstart', 'click', 'keydown', 'focusin', 'input'] as const;

/** After a failure, only what somebody does on purpose tries again. */
const retries: readonly string[] = ['pointerdown', 'keydown'];

/** The session's channel between tabs (app-kit). */
const sessionChannel = 'clinic-session';

/**
 * Starts a page that arrived as HTML. It is read without the application, and links and forms with an address work as they
 * are. The application is loaded when somebody uses the page, rendered beside it and put in its place in one step, whatever the
 * releases of both. Presses that only the application understands are repeated then, once.
 *
 * Runs in the page's head, before anybody can press anything.
 */
export function startWhenNeeded(): void {
  followActions();
  const presses = keepPresses();
  const loader = createFileLoader();
  let isBusy = false;
  let hasFailed = false;
  let again: (() => void) | undefined;

  const giveUp = (reason: unknown): void => {
    console.warn('The page could not be made interactive', reason);
    presses.giveUp();
    isBusy = false;
    hasFailed = true;
  };

  const begin = (): void => {
    if (isBusy) return;
    const page = document.getElementById('page');
    const files = laterFiles();
    // A page that is still being parsed, or one that starts by itself.
    if (!page || !files) return;
    isBusy = true;
    if (again) return again();
    const root = (globalThis.clinicRoot ??= takeRoot());
    loader.load(files).then(() => follow(page, root), giveUp);
  };

  function follow(page: HTMLElement, root: HTMLElement): void {
    again = whenAppIsThere(page, root, {
      async arrived() {
        await untilAtRest();
        for (const type of uses) removeEventListener(type, onUse, true);
        removeEventListener('scroll', onScroll);
        // Later calls are about later data.
        globalThis.clinicAnswers = undefined;
        replacePage(page, root);
        presses.repeat(root);
      },
      failed: giveUp,
    });
  }

  const onUse = ({ type }: Event): void => {
    if (!hasFailed || retries.includes(type)) begin();
  };
  const onScroll = (): void => {
    if (scrollY > innerHeight && !hasFailed) begin();
  };

  for (const type of uses) addEventListener(type, onUse, { capture: true, passive: true });
  addEventListener('scroll', onScroll, { passive: true });
  // Somebody may have logged in or out since the page was left.
  addEventListener('pageshow', ({ persisted }) => persisted && begin());
  if ('BroadcastChannel' in globalThis) new BroadcastChannel(sessionChannel).addEventListener('message', begin);
  const decide = (): void => {
    if (presses.any() || isForApp()) begin();
    else whenIdle(begin);
  };
  document.addEventListener('DOMContentLoaded', decide, { once: true });
}

/** Absent in pages that start by themselves. */
function laterFiles(): LaterFiles | undefined {
  const text = document.getElementById('later-scripts')?.textContent;
  return text ? (JSON.parse(text) as LaterFiles) : undefined;
}

/** Outside of the document, nothing of the application is read out or found twice. */
function takeRoot(): HTMLElement {
  const root = document.getElementById('root') ?? document.createElement('div');
  root.remove();
  return root;
}

/** Whether the page shows something that only the application knows: what it kept in this history entry or in this browser. */
function isForApp(): boolean {
  if (history.state !== null) return true;
  try {
    return [...document.querySelectorAll<HTMLElement>('#page [data-stored]')].some(
      ({ dataset }) => localStorage.getItem(dataset['stored'] ?? '') !== null,
    );
  } catch {
    // The browser keeps nothing.
    return false;
  }
}
