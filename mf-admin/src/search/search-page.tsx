import { definePage, type SlotProps } from '@clinic/app-kit';
import { useListState } from '@clinic/app-kit/records';
import { PageHeader, SearchField } from '@clinic/ui';
import { useEffect, useRef, type ComponentType, type KeyboardEvent } from 'react';
import '../setup.ts';

/** Letters from which on it is searched, as services ask. */
const fewest = 2;

/**
 * Search (`/dash/search`): one search for staff, by what they may see. This page doesn't know what there is to find: every
 * domain publishes its part for the slot `search`.
 *
 * @param Results - shows them all, or a quiet panel for an unavailable domain
 */
export function createSearchPage(Results: ComponentType<SlotProps['search']>) {
  return function SearchPage() {
    const list = useListState();
    const place = useRef<HTMLDivElement>(null);
    const fieldOf = (): HTMLElement | null | undefined => place.current?.querySelector('input');
    useEffect(() => fieldOf()?.focus(), []);

    function onKeyDown(event: KeyboardEvent): void {
      if (event.key === 'Escape' && event.target !== fieldOf()) return fieldOf()?.focus();
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step === 0 || !place.current) return;
      const stops = [...place.current.querySelectorAll<HTMLElement>('input, [data-found]')];
      const next = stops[stops.findIndex((one) => one === document.activeElement) + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
    }

    return (
      <div ref={place} onKeyDown={onKeyDown} role="presentation">
        <PageHeader
          title="Search"
          description="Go through what is found with the arrow keys, and open it with Enter."
        />
        <SearchField
          label="Search the clinic"
          placeholder="Name, email, phone or medicine"
          className="mb-6 max-w-2xl"
          value={list.text}
          onChange={list.setText}
        />
        {list.q.length < fewest ? (
          <p className="text-muted">Type at least {fewest} letters.</p>
        ) : (
          <div className="grid max-w-2xl gap-6">
            <Results q={list.q} />
          </div>
        )}
      </div>
    );
  };
}

export default definePage({ createPage: async ({ openSlot }) => createSearchPage(await openSlot('search')) });
