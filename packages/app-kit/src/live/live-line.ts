import { liveBeatEvery, livePath, type LiveChange, type LiveStreams } from '@clinic/contracts/live';
import type { SessionState, SessionStore } from '../session/session-types.ts';
import { followers } from './followers.ts';
import { lineName, thisTab, type Tab } from './tab.ts';

/** Milliseconds without a message after which the leader's connection counts as lost, and a leader as frozen. */
const lostAfter = 2.5 * liveBeatEvery;
const frozenAfter = 3.5 * liveBeatEvery;

/** Most milliseconds until the line is opened again: doubled for each attempt in a row, up to the longest. */
const firstDelay = 250;
const longestDelay = 5_000;

/** Milliseconds between polls of what no stream covers. */
const pollEvery = 5_000;

export interface LineParts {
  readonly session: Pick<SessionStore, 'get' | 'subscribe' | 'check' | 'refresh' | 'adopt'>;
  /** Loads these calls again wherever they are on screen. @param by - the own requests that changed them */
  readonly reload: (calls: readonly string[], by?: readonly string[]) => void;
}

interface LineEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/**
 * Messages between tabs: the leader passes on events and the session it learned of; a tab that is shown asks for both.
 */
type Message =
  | (LineEvent & { readonly streams: readonly string[] })
  | { readonly session: SessionState; readonly person: string }
  | { readonly hello: true };

/**
 * Keeps a tab up to date: one tab of those that are visible leads, holds the line, and passes on what it receives. A
 * hidden tab holds nothing. Without locks (pages over plain http, older browsers) each visible tab holds a line of its
 * own.
 */
export function startLine(parts: LineParts, tab = thisTab): void {
  new LiveLine(parts, tab).start();
}

class LiveLine {
  readonly #session: LineParts['session'];
  readonly #reload: LineParts['reload'];
  readonly #tab: Tab;
  readonly #locks: Tab['locks'];
  readonly #channel: ReturnType<Tab['openChannel']> | undefined;
  #person: string | undefined;
  #membership: AbortController | undefined;
  #source: EventSource | undefined;
  #leads = false;
  #lastId = '';
  #streams: readonly string[] = [];
  #attempts = 0;
  #userOfLine: unknown;
  // The session may have changed while this tab was hidden.
  #isUnsure = false;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #polling: ReturnType<typeof setTimeout> | undefined;

  constructor({ session, reload }: LineParts, tab: Tab) {
    this.#session = session;
    this.#reload = reload;
    this.#tab = tab;
    this.#locks = tab.locks;
    this.#channel = tab.locks && tab.openChannel();
  }

  start(): void {
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#receive(data));
    this.#session.subscribe(() => this.#update());
    this.#tab.onVisibility(() => this.#update());
    // A page in the back-forward cache holds no connection.
    this.#tab.onLeave(() => this.#leave());
    this.#update();
  }

  /** A message of another tab. */
  #receive(message: Message): void {
    if ('hello' in message) {
      if (!this.#source) return;
      this.#share(this.#person);
      this.#postState();
    } else if ('session' in message) {
      if (message.person === this.#person) this.#session.adopt(message.session);
    } else if (this.#membership && !this.#leads) {
      // A hidden tab loads everything once it is shown.
      this.#streams = message.streams;
      this.#take(message);
    }
  }

  #join(isBack: boolean): void {
    const { signal } = (this.#membership = new AbortController());
    this.#isUnsure = isBack;
    this.#poll();
    if (!this.#locks) return this.#lead();
    this.#contend({ signal });
    this.#restartSilence();
    this.#post({ hello: true });
  }

  #contend(options: LockOptions): void {
    const { signal } = this.#membership ?? {};
    if (!this.#locks || !signal) return;
    this.#locks
      .request(lineName, options, () => {
        if (signal.aborted) return undefined;
        this.#lead();
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      })
      .catch(() => {
        // Left before its turn, or another tab took the lock because this one seemed frozen.
        if (signal.aborted || !this.#leads) return;
        this.#hangUp();
        this.#contend({ signal });
        this.#restartSilence();
      });
  }

  #leave(): void {
    this.#membership?.abort();
    this.#membership = undefined;
    this.#hangUp();
    clearTimeout(this.#silence);
    clearTimeout(this.#polling);
  }

  #lead(): void {
    this.#leads = true;
    this.#open();
    // Otherwise the line says what was missed.
    if (this.#isUnsure && this.#lastId === '') this.#checkSession();
  }

  #hangUp(): void {
    this.#leads = false;
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#retry);
  }

  #open(): void {
    if (!this.#leads) return;
    this.#source?.close();
    this.#userOfLine = this.#session.get().user;
    this.#source = this.#tab.openSource(
      this.#lastId === '' ? livePath : `${livePath}?after=${encodeURIComponent(this.#lastId)}`,
    );
    if (!this.#source) return;
    for (const event of ['live', 'change', 'beat', 'session'])
      this.#source.addEventListener(event, ({ data, lastEventId: id }: MessageEvent<string>) => {
        this.#take({ event, data, id });
        if (event !== 'session') this.#post({ event, data, id, streams: this.#streams });
      });
    this.#source.addEventListener('error', () => this.#lost());
    this.#restartSilence();
  }

  #lost(): void {
    this.#streams = [];
    this.#postState();
    this.#reopen();
  }

  #reopen(): void {
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#silence);
    clearTimeout(this.#retry);
    // Spread, because a gateway that is being replaced loses all its lines at once.
    this.#retry = setTimeout(
      () => this.#open(),
      Math.random() * Math.min(longestDelay, firstDelay * 2 ** this.#attempts),
    );
    this.#attempts += 1;
  }

  /** Restarts the wait for the next message from the server or the leading tab. */
  #restartSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = this.#leads
      ? setTimeout(() => this.#lost(), lostAfter)
      : setTimeout(() => this.#contend({ steal: true }), frozenAfter);
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message);
  }

  #postState(): void {
    this.#post({
      event: 'live',
      data: JSON.stringify({ streams: this.#streams }),
      id: this.#lastId,
      streams: this.#streams,
    });
  }

  #take({ event, data, id }: LineEvent): void {
    this.#restartSilence();
    if (id !== '') this.#lastId = id;
    if (event === 'live') this.#streams = (JSON.parse(data) as LiveStreams).streams;
    if (event === 'beat') this.#attempts = 0;
    if (event === 'session') this.#renew();
    if (event !== 'change') return;
    const { lists, by } = JSON.parse(data) as LiveChange;
    this.#reload(lists, by);
    if (this.#leads && lists.includes('getSession')) this.#checkSession();
  }

  /** The session has ended or has other rights. One call finds out, for all tabs. */
  #renew(): void {
    // A call of this tab was quicker.
    const isNew = this.#session.get().user !== this.#userOfLine;
    const of = this.#person;
    (isNew ? Promise.resolve() : this.#session.refresh()).then(
      () => {
        this.#share(of);
        this.#reopen();
      },
      () => this.#lost(),
    );
    this.#source?.close();
    this.#source = undefined;
  }

  #checkSession(): void {
    const of = this.#person;
    this.#session.check().then(
      () => this.#share(of),
      (error: unknown) => console.warn('The session could not be checked', error),
    );
  }

  /** @param of - whose session it is or was */
  #share(of: string | undefined): void {
    if (of !== undefined) this.#post({ session: this.#session.get(), person: of });
  }

  /** Loads again what no stream covers. */
  #poll(): void {
    clearTimeout(this.#polling);
    this.#polling = setTimeout(() => {
      if (this.#leads && !this.#streams.includes('watchSession')) this.#checkSession();
      for (const follower of followers) if (!this.#streams.includes(follower.stream)) follower.reload();
      this.#poll();
    }, pollEvery);
  }

  #update(): void {
    const email = this.#session.get().user?.email;
    const joins = email !== undefined && this.#tab.isVisible();
    if (this.#membership && (!joins || email !== this.#person)) this.#leave();
    const isBack = email === this.#person;
    if (email !== this.#person) {
      this.#lastId = '';
      this.#streams = [];
    }
    this.#person = email;
    if (joins && !this.#membership) this.#join(isBack);
  }
}
