import type { CallQuery } from '@clinic/contracts';
import { Button } from '@clinic/ui';

const labels = { coming: 'Coming', past: 'Past', cancelled: 'Cancelled' } as const;

/** A part of somebody's own appointments, as named in the address. */
export type Section = keyof typeof labels;

export function isSection(text: string): text is Section {
  return Object.hasOwn(labels, text);
}

/** The query of a section: the next appointment on top, or the latest past one. */
export function sectionQuery(section: Section): CallQuery<'listAppointments'> {
  switch (section) {
    case 'coming':
      return { open: 'true', when: 'coming', sort: 'date' };
    case 'past':
      return { open: 'true', when: 'past', sort: '-date' };
    case 'cancelled':
      return { status: 'Cancelled', sort: '-date' };
  }
}

interface SectionTabsProps {
  readonly section: Section;
  /** Appointments in it, if known. */
  readonly total: number | undefined;
  readonly onSection: (section: Section) => void;
}

/** Chooses a section of the list below. */
export function SectionTabs({ section, total, onSection }: SectionTabsProps) {
  return (
    <fieldset className="mb-4 flex flex-wrap items-center gap-2">
      <legend className="sr-only">Which appointments</legend>
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
      {total !== undefined && (
        <p className="ms-1 text-sm text-muted" aria-live="polite">
          {total.toLocaleString('en')} {total === 1 ? 'appointment' : 'appointments'}
        </p>
      )}
    </fieldset>
  );
}
