import { useLayoutEffect, useState, type RefObject } from 'react';

/** A section of a page. */
export interface Content {
  /** Its anchor. */
  readonly id: string;
  readonly title: string;
}

/** The sections of a page in their order, for its index; other domains add theirs a moment later. */
export function useContents(page: RefObject<HTMLElement | null>): readonly Content[] {
  const [contents, setContents] = useState<readonly Content[]>([]);
  useLayoutEffect(() => {
    const element = page.current;
    if (!element) return undefined;
    const read = (): void => {
      const found = [...element.querySelectorAll<HTMLElement>('section[id]')].map((section) => ({
        id: section.id,
        title: section.querySelector('h2')?.textContent ?? '',
      }));
      setContents((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [page]);
  return contents;
}
