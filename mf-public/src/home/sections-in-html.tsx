import { useLayoutEffect, useRef, type ComponentType } from 'react';

const inPage = '#page [data-late-sections]';

export const areSectionsInHtml = (): boolean => document.querySelector(inPage) !== null;

/** Copies of the late sections that the page's HTML has; none in a page that scripts draw (`late-sections.html.tsx`). */
export function sectionsInHtml(): readonly Node[] {
  const sections = document.querySelector(inPage);
  return [...(sections?.cloneNode(true).childNodes ?? [])];
}

/** Shows sections as they were in the HTML. Their forms have no address, and would be sent to the page's own. */
export function SectionsInHtml({
  nodes,
  onSubmit,
}: {
  readonly nodes: readonly Node[];
  readonly onSubmit: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(...nodes), [nodes]);
  useLayoutEffect(() => {
    const element = place.current;
    const instead = (event: Event): void => {
      event.preventDefault();
      onSubmit();
    };
    element?.addEventListener('submit', instead);
    return () => element?.removeEventListener('submit', instead);
  }, [onSubmit]);
  return <div ref={place} className="contents" />;
}

/** What a visitor may have done to an element. */
type Touched = Element & { value?: unknown; open?: unknown; focus?: (options: FocusOptions) => void };

const elementsIn = (place: Element | null): Touched[] => [...(place?.querySelectorAll('*') ?? [])];

/** @returns gives other sections what was typed, opened and focused in these, which have the same elements */
export function carryFrom(place: Element | null): (other: Element) => void {
  const left = elementsIn(place).map((element) => {
    const { value, open, localName } = element;
    return { value, open, localName, focused: element === document.activeElement };
  });
  return (other) => {
    for (const [at, element] of elementsIn(other).entries()) {
      const before = left[at];
      if (before?.localName !== element.localName) return;
      if (before.open === true) element.open = true;
      if (/^(?:input|textarea)$/.test(before.localName) && before.value) element.value = before.value;
      if (before.focused) element.focus?.({ preventScroll: true });
    }
  };
}

interface SectionsProps {
  readonly Sections: ComponentType;
  readonly carryOver: (place: Element) => void;
}

/** Sections in the place of those in the HTML. */
export function SectionsAlive({ Sections, carryOver }: SectionsProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (place.current) carryOver(place.current);
  }, [carryOver]);
  return (
    <div ref={place} className="contents">
      <Sections />
    </div>
  );
}
