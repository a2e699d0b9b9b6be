import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { classNames, Icon } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useState } from 'react';
import { phoneLink } from '../phone-link.ts';

interface ReachPatientProps {
  readonly appointment: Pick<Appointment, 'patientname' | 'number' | 'address'>;
  /** Large enough for a finger. */
  readonly large?: boolean;
}

/** Calls the patient with one tap, or shows their address on a map, after a notice that the address leaves the clinic for that. */
export function ReachPatient({ appointment: { patientname, number, address }, large }: ReachPatientProps) {
  const [asking, setAsking] = useState(false);
  const linkClass = classNames(
    'inline-flex min-h-6 items-center gap-1.5 underline decoration-line underline-offset-4 hover:decoration-current',
    large && 'min-h-10',
  );

  function openMap(): void {
    setAsking(false);
    window.open(
      `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`,
      '_blank',
      'noopener,noreferrer',
    );
  }

  return (
    <div className={classNames('flex flex-wrap gap-x-6', large ? 'mt-1' : 'text-sm')}>
      {number !== '' && (
        <a className={linkClass} href={phoneLink(number)} aria-label={`Call ${patientname}, ${number}`}>
          <Icon name="phone" size={16} className="flex-none" />
          {number}
        </a>
      )}
      {address !== '' && (
        <button
          type="button"
          className={classNames(linkClass, 'cursor-pointer text-start')}
          aria-haspopup="dialog"
          aria-label={`Map of ${address}`}
          onClick={() => setAsking(true)}
        >
          <Icon name="pin" size={16} className="flex-none" />
          <span className="wrap-anywhere">{address}</span>
        </button>
      )}
      <ConfirmDialog
        open={asking}
        title="Open this address on a map?"
        confirmLabel="Open the map"
        onConfirm={openMap}
        onCancel={() => setAsking(false)}
      >
        <p>
          “{address}” is sent to openstreetmap.org, which isn’t part of the clinic. The patient’s name and phone number
          aren’t sent.
        </p>
      </ConfirmDialog>
    </div>
  );
}
