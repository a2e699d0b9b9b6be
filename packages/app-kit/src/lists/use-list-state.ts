import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

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
  const [followed, setFollowed] = useState(q);

  // The address changed on its own (Back, a link): the field follows, unless that is what was just typed.
  if (followed !== q) {
    setFollowed(q);
    if (text.trim() !== q) setText(q);
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

  const settle = useEffectEvent((typed: string) => {
    if (typed !== q) set('q', typed);
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
      latest.current = new URLSearchParams([...latest.current].filter(([name]) => name === 'sort'));
      // Not replaced: Back brings the filters back.
      setSearch(latest.current);
    },
  };
}
