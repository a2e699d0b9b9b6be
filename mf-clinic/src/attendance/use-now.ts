import { useConfig } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import { clinicInstant } from '@clinic/contracts/clinic-time';

/** The current minute as milliseconds since 1970, for what is counted from an instant. */
export const useNow = (): number => clinicInstant(useClinicNow(), useConfig().clinicTimeZone).getTime();
