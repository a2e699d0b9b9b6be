import type { Appointment } from '@clinic/contracts';
import { classNames, Icon } from '@clinic/ui';
import { phoneLink } from '../phone-link.ts';

interface ReachPatientProps {
  readonly appointment: Pick<Appointment, 'patientname' | 'number' | 'address'>;
  /** As large as a finger needs. */
  readonly large?: boolean;
}

/** Calls the patient, or shows where they live, with one tap. */
export function ReachPatient({ appointment: { patientname, number, address }, large }: ReachPatientProps) {
  const look = classNames('inline-flex min-h-6 items-center gap-1.5 underline decoration-line underline-offset-4 hover:decoration-current', large && 'min-h-10');
  return (
    <p className={classNames('flex flex-wrap gap-x-6', large ? 'mt-1' : 'text-sm')}>
      {number !== '' && <a className={look} href={phoneLink(number)} aria-label={`Call ${patientname}, ${number}`}><Icon name="phone" size={16} className="flex-none" />{number}</a>}
      <a
        className={look} target="_blank" rel="noreferrer" aria-label={`Map of ${address}, opens in a new window`}
        href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`}
      >
        <Icon name="pin" size={16} className="flex-none" /><span className="wrap-anywhere">{address}</span>
      </a>
    </p>
  );
}
