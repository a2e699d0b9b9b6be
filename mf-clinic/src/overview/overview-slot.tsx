import { defineSlotModule } from '@clinic/app-kit';
import { AppointmentFigures } from './appointment-figures.tsx';

/** What this domain adds to /dash/overview; loaded with that page only. */
export default defineSlotModule<'overview'>({ Component: AppointmentFigures });
