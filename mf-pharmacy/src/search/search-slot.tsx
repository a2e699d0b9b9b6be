import { defineSlotModule } from '@clinic/app-kit';
import { FoundInPharmacy } from './found-in-pharmacy.tsx';
import '../setup.ts';

/** This domain's part of the search of staff: orders and medicines. */
export default defineSlotModule<'search'>({ Component: FoundInPharmacy });
