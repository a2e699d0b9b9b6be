import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** Milliseconds without a keystroke after which a search starts. */
const settled = 300;

export interface ListState {
  /** The text in the search field. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The active search: the text once typing has paused. */
  readonly q: string;
  /** Empty: all. */
  readonly status: string;
  readonly setStatus: (status: string) => void;
  /** Empty: the list's own order. */
  readonly sort: string;
  readonly setSort: (sort: string) => void;
  /** Another filter by its name in the address; empty: all. */
  readonly get: (name: string) => string;
  readonly set: (name: string, value: string) => void;
  /** Whether any filter is set. */
  readonly narrowed: boolean;
  /** Clears all filters. */
  readonly clear: () => void;
}

/** Search text, filter and order of a list, kept in the address, so that Back, reload and a shared link show the same. */
export function useListState(): ListState {
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const [text, setText] = useState(q);
  const { key } = useLocation();
  const [followed, setFollowed] = useState({ key, q });
  /** Searches that this page has put into the address and that haven't been rendered yet, oldest first. */
  const [written, setWritten] = useState<readonly string[]>([]);

  // The field follows an address that changed on its own (Back, a link). It may be ahead of a search typed here: a page
  // takes a while to render, and people type on.
  if (followed.key !== key || followed.q !== q) {
    setFollowed({ key, q });
    const arrived = written.lastIndexOf(q) + 1;
    if (arrived > 0) setWritten(written.slice(arrived));
    else if (followed.q !== q) {
      setWritten([]);
      if (text.trim() !== q) setText(q);
    }
  }

  // Rendering lags behind the address: a second change right after the first must not undo it.
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);

  function set(name: string, value: string): void {
    const changed = new URLSearchParams(latest.current);
    if (value) changed.set(name, value);
    else changed.delete(name);
    // Another filter has other pages.
    changed.delete('cursor');
    latest.current = changed;
    setSearch(changed, { replace: true, preventScrollReset: true });
  }

  function write(typed: string): void {
    setWritten([...written, typed]);
    set('q', typed);
  }

  const settle = useEffectEvent((typed: string) => {
    if (typed !== (written.at(-1) ?? q)) write(typed);
  });
  useEffect(() => {
    const timer = setTimeout(() => settle(text.trim()), settled);
    return () => clearTimeout(timer);
  }, [text]);

  const others = [...search.keys()].filter((name) => name !== 'cursor' && name !== 'sort');
  return {
    text,
    setText,
    q,
    status: search.get('status') ?? '',
    setStatus: (status) => set('status', status),
    sort: search.get('sort') ?? '',
    setSort: (sort) => set('sort', sort),
    get: (name) => search.get(name) ?? '',
    set,
    narrowed: others.length > 0,
    clear: () => {
      setText('');
      setWritten([...written, '']);
      latest.current = new URLSearchParams([...latest.current].filter(([name]) => name === 'sort'));
      // Not replaced: Back brings the filters back.
      setSearch(latest.current);
    },
  };
}
