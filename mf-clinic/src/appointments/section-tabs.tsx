import type { CallQuery } from '@clinic/contracts';
import { addDays } from '@clinic/contracts/clinic-time';
import { Button } from '@clinic/ui';

const labels = { coming: 'Coming', past: 'Past', cancelled: 'Cancelled' } as const;

/** A part of somebody's own appointments, as named in the address. */
export type Section = keyof typeof labels;

export function isSection(text: string): text is Section {
  return Object.hasOwn(labels, text);
}

/**
 * What a section asks the service for: what comes next on top, what was last on top.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone; appointments of today are coming ones
 */
export function sectionQuery(section: Section, today: string): CallQuery<'listAppointments'> {
  switch (section) {
    case 'coming':
      return { open: 'true', from: today, sort: 'date' };
    case 'past':
      return { open: 'true', until: addDays(today, -1), sort: '-date' };
    case 'cancelled':
      return { status: 'Cancelled', sort: '-date' };
  }
}

interface SectionTabsProps {
  readonly section: Section;
  readonly onSection: (section: Section) => void;
}

/** Chooses a section of the list below. */
export function SectionTabs({ section, onSection }: SectionTabsProps) {
  return (
    <div role="group" aria-label="Which appointments" className="mb-4 flex flex-wrap gap-2">
      {(Object.keys(labels) as Section[]).map((one) => (
        <Button
          key={one}
          size="sm"
          variant={one === section ? 'primary' : 'secondary'}
          aria-pressed={one === section}
          onClick={() => onSection(one)}
        >
          {labels[one]}
        </Button>
      ))}
    </div>
  );
}
