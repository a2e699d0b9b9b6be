import { useConfig } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import { clinicInstant, clinicMoment } from '@clinic/contracts/clinic-time';

/** Whose clock times are by, for a reader whose own shows another time now. */
export function ClinicZone() {
  const { clinicTimeZone } = useConfig();
  const here = useClinicNow();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const theirs = clinicMoment(clinicInstant(here, clinicTimeZone), own);
  if (theirs.date === here.date && theirs.time === here.time) return null;
  return (
    <span className="ui-hint block">
      Times are by the clinic’s clock ({clinicTimeZone.replaceAll('_', ' ')}), not by yours.
    </span>
  );
}
