import type { Location, NavigateOptions, NavigationHistory, NavigationType, Navigator, To } from '@clinic/app-kit/host';
import { createStore, type Readable, type Store } from '@clinic/app-kit/store';

/** What the visitor sees, and whether something else is loading. */
export interface NavigationState {
  readonly location: Location;
  /** How the visitor came here. */
  readonly action: NavigationType;
  /** The link asked to keep the scroll position. */
  readonly keepScroll: boolean;
  /** False until the first page is shown. */
  readonly ready: boolean;
  /** Why the page of this address can't be shown. */
  readonly failure: { readonly error: unknown } | undefined;
  /** The next page is loading; this one stays until then. */
  readonly loading: boolean;
}

/** Navigation from page to page. */
export interface Navigation extends Readable<NavigationState> {
  /** For the router, which turns links into calls of it. */
  readonly navigator: Navigator;
  /** Loads the page of this address again. */
  readonly retry: () => void;
}

interface NavigationOptions {
  readonly history: NavigationHistory;
  /** Loads what the page of a path needs; `undefined` if all is loaded. Its failure is shown in place of the page. */
  readonly prepare: (pathname: string) => Promise<void> | undefined;
  /** The question to ask before the page is left for another address, if there is one; it returns whether to leave. */
  readonly question?: () => (() => Promise<boolean>) | undefined;
  /** Called before a page is left. */
  readonly onLeave?: (location: Location) => void;
}

/**
 * Navigates to a new address once its page is loaded; of several in a row, to the last. React Router's data router does the
 * same, along with loaders, actions and more that nothing here uses, for 15 KB (gzip) of each first visit.
 */
export function createNavigation({ history, prepare, question, onLeave }: NavigationOptions): Navigation {
  const store = createStore(beginningOf(history));
  let visits = 0;

  /** @param commit - makes the address current for the page that is about to be shown */
  function open(pathname: string, keepScroll: boolean, commit?: () => void): void {
    visits += 1;
    const visit = visits;
    const show = (failure?: { readonly error: unknown }): void => {
      if (visit !== visits) return;
      if (store.get().ready) onLeave?.(store.get().location);
      commit?.();
      store.set({
        location: history.location,
        action: history.action,
        keepScroll,
        ready: true,
        failure,
        loading: false,
      });
    };
    const loading = prepare(pathname);
    if (!loading) return show();
    store.set({ ...store.get(), loading: true });
    loading.then(
      () => show(),
      (error: unknown) => show({ error }),
    );
  }

  /**
   * The question to ask before going there. A fragment of the same page needs none, nor does a search or filter, which keeps
   * the page where it is.
   */
  const questionBefore = (next: Pick<Location, 'pathname' | 'search'>, keepScroll = false) =>
    isSamePage(next, store.get().location, keepScroll) ? undefined : question?.();

  const openCurrent = (): void => open(history.location.pathname, false);
  const openNext = (to: To, options: NavigateOptions | undefined, commit: () => void): void => {
    const next = history.encodeLocation(to);
    const keepScroll = options?.preventScrollReset ?? false;
    const go = (leave: boolean) => leave && open(next.pathname, keepScroll, commit);
    const ask = questionBefore(next, keepScroll);
    if (ask) void ask().then(go);
    else go(true);
  };

  followHistory(history, questionBefore, openCurrent);
  openCurrent();

  return {
    get: store.get,
    subscribe: store.subscribe,
    retry: openCurrent,
    navigator: {
      createHref: (to) => history.createHref(to),
      encodeLocation: (to) => history.encodeLocation(to),
      go: (delta) => history.go(delta),
      push: (to, state, options) => openNext(to, options, () => history.push(to, state)),
      replace: (to, state, options) =>
        options?.preventScrollReset
          ? rewrite(history, store, to, state)
          : openNext(to, options, () => history.replace(to, state)),
    },
  };
}

const beginningOf = ({ location, action }: NavigationHistory): NavigationState => ({
  location,
  action,
  keepScroll: false,
  ready: false,
  failure: undefined,
  loading: true,
});

/**
 * Puts a search or filter of the page into its own address. That may come late: it neither cancels a navigation that has begun
 * since, nor brings back a page that was left.
 */
function rewrite(history: NavigationHistory, store: Store<NavigationState>, to: To, state: unknown): void {
  if (history.encodeLocation(to).pathname !== history.location.pathname) return;
  history.replace(to, state);
  store.set({ ...store.get(), location: history.location, action: history.action, keepScroll: true });
}

/** Follows Back, Forward and the like, and asks first if there is a question. */
function followHistory(
  history: NavigationHistory,
  questionBefore: (location: Location) => (() => Promise<boolean>) | undefined,
  openCurrent: () => void,
): void {
  /** A step through the history that the page takes itself. */
  let own: 'back' | 'on' | undefined;
  history.listen(({ delta }) => {
    const step = own;
    own = undefined;
    if (step === 'back') return;
    const ask = step === undefined && delta ? questionBefore(history.location) : undefined;
    if (!ask || !delta) return openCurrent();
    // The browser has already moved: step back to the page, and forward again if the visitor agrees.
    own = 'back';
    history.go(-delta);
    void ask().then((leave) => {
      if (!leave) return;
      own = 'on';
      history.go(delta);
    });
  });
}

function isSamePage(one: Pick<Location, 'pathname' | 'search'>, other: Location, anySearch: boolean): boolean {
  return one.pathname === other.pathname && (anySearch || one.search === other.search);
}
