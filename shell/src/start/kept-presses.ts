import { describe, findSame, type Description } from './same-element.ts';

/** Presses that came before the application. */
export interface KeptPresses {
  readonly any: () => boolean;
  /** Repeats each once, on the same elements of the application. @param root - the application */
  readonly repeat: (root: HTMLElement) => void;
  /** The application didn't come: says so to who has pressed something, and forgets it. */
  readonly giveUp: () => void;
}

interface Press {
  readonly pressed: HTMLElement;
  readonly description: Description;
  /** The button that sends the form. */
  readonly submitter?: Description | undefined;
}

/** What HTML does by itself: links, forms with an address, and what opens or takes a value. */
const plain = 'a[href],summary,input,select,textarea,label,form[action] :is(button:not([type=button]),[type=submit])';

/**
 * Keeps presses on what only the application understands: buttons, and forms without an address. All else goes on as plain
 * HTML. Somebody who presses twice because nothing happens means it once.
 */
export function keepPresses(): KeptPresses {
  const kept = new Map<HTMLElement, Press>();
  const pageOf = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>('#page') : null);

  function keep(page: HTMLElement, pressed: HTMLElement, submitter?: HTMLElement | null): void {
    kept.set(pressed, {
      pressed,
      description: describe(pressed, page),
      submitter: submitter ? describe(submitter, page) : undefined,
    });
    (submitter ?? pressed).setAttribute('aria-busy', 'true');
    document.getElementById(noticeId)?.remove();
  }

  function onClick(event: MouseEvent): void {
    const page = pageOf(event);
    const pressed = (event.target as Element).closest<HTMLElement>(`${plain},button,[role=button]`);
    if (!page || !pressed || pressed.matches(plain)) return;
    // The form's own event follows.
    if (pressed instanceof HTMLButtonElement && pressed.type === 'submit' && pressed.form) return;
    event.preventDefault();
    keep(page, pressed);
  }

  function onSubmit(event: SubmitEvent): void {
    const page = pageOf(event);
    const form = event.target as HTMLFormElement;
    if (!page || form.hasAttribute('action')) return;
    event.preventDefault();
    keep(page, form, event.submitter);
  }

  function release(): void {
    for (const busy of document.querySelectorAll('#page [aria-busy]')) busy.removeAttribute('aria-busy');
    kept.clear();
  }

  addEventListener('click', onClick, true);
  addEventListener('submit', onSubmit, true);
  return {
    any: () => kept.size > 0,
    repeat(root) {
      removeEventListener('click', onClick, true);
      removeEventListener('submit', onSubmit, true);
      const presses = [...kept.values()].map(({ description, submitter }) => ({
        found: findSame(description, root),
        submitter: submitter && findSame(submitter, root),
      }));
      release();
      for (const { found, submitter } of presses) {
        if (found instanceof HTMLFormElement) found.requestSubmit(submitter);
        else found?.click();
      }
    },
    giveUp() {
      if (kept.size > 0) showNotice();
      release();
    },
  };
}

const noticeId = 'start-notice';

function showNotice(): void {
  const notice = document.createElement('output');
  notice.id = noticeId;
  notice.className = 'ui-alert fixed inset-x-4 bottom-4 z-50 bg-base-100 shadow-lift';
  notice.textContent = 'That didn’t work. Check your connection, then try again.';
  document.getElementById('page')?.append(notice);
}
