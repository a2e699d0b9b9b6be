import { defineSlotModule } from '@clinic/app-kit';
import { AppointmentFigures } from './appointment-figures.tsx';
import '../calls.ts';

/** This domain's part of /dash/overview; loaded with that page only. */
export default defineSlotModule<'overview'>({ Component: AppointmentFigures });
