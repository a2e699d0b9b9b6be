import { useEffect, useRef, useState, type RefObject } from 'react';

/** Milliseconds from zero to the full figure. */
const duration = 1400;

/**
 * The share of a figure to show, from 0 to 1: all of it with reduced motion; otherwise it counts up once, when the element
 * scrolls into view.
 *
 * @returns the share and a ref for the element to observe
 */
export function useCountUp<Watched extends HTMLElement>(): { share: number; ref: RefObject<Watched | null> } {
  const ref = useRef<Watched>(null);
  const [share, setShare] = useState(1);

  useEffect(() => {
    const element = ref.current;
    if (
      // Taking the place of HTML that shows the figures already (shell/src/start).
      !element?.isConnected ||
      typeof IntersectionObserver === 'undefined' ||
      matchMedia('(prefers-reduced-motion: reduce)').matches
    )
      return;
    let frame = 0;
    const count = () => {
      let start: number | undefined;
      const draw = (now: number) => {
        // A frame's timestamp precedes its rendering: counted from now, the first figure would be negative.
        start ??= now;
        const passed = Math.min(1, (now - start) / duration);
        // Fast first, then slowing down.
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
