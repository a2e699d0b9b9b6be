import { useEffect, useRef, useState, type RefObject } from 'react';

/** Follows how wide an element is, in whole CSS pixels; `fallback` until that is known. */
export function useWidth<Element extends HTMLElement>(fallback: number): [RefObject<Element | null>, number] {
  const element = useRef<Element>(null);
  const [width, setWidth] = useState(fallback);
  useEffect(() => {
    if (!element.current || typeof ResizeObserver !== 'function') return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
