import { defineSlotModule } from '@clinic/app-kit';
import { AppointmentFigures } from './appointment-figures.tsx';

/** This domain's part of /dash/overview; loaded with that page only. */
export default defineSlotModule<'overview'>({ Component: AppointmentFigures });
