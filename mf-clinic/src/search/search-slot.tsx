import { defineSlotModule } from '@clinic/app-kit';
import { FoundInClinic } from './found-in-clinic.tsx';
import '../setup.ts';

/** This domain's part of the search of staff: patients and appointments. */
export default defineSlotModule<'search'>({ Component: FoundInClinic });
