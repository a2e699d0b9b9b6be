import { useEffect, useRef, useState, type RefObject } from 'react';

/** Milliseconds from nothing to the full figure. */
const duration = 1400;

/**
 * How much of a figure to show, from 0 to 1: all of it, unless motion is welcome; then it counts up once, when the element
 * comes into view.
 *
 * @returns the share and the ref of the element to watch
 */
export function useCountUp<Watched extends HTMLElement>(): { share: number; ref: RefObject<Watched | null> } {
  const ref = useRef<Watched>(null);
  const [share, setShare] = useState(1);

  useEffect(() => {
    const element = ref.current;
    if (!element || typeof IntersectionObserver === 'undefined' || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let frame = 0;
    const count = () => {
      let start: number | undefined;
      const draw = (now: number) => {
        // A frame's time lies before the moment it is drawn: counted from the present, the first figure would be below zero.
        start ??= now;
        const passed = Math.min(1, (now - start) / duration);
        // Fast first, then settling.
        setShare(1 - (1 - passed) ** 3);
        if (passed < 1) frame = requestAnimationFrame(draw);
      };
      frame = requestAnimationFrame(draw);
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        count();
      },
      { threshold: 0.4 },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);

  return { share, ref };
}
