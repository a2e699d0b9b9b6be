import { useEffect, useRef, useState, type RefObject } from 'react';

/** Width of an element in whole CSS pixels, kept up to date; `fallback` until it is known. */
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
