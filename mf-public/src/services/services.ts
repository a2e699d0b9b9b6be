import type { Specialty } from '@clinic/svc-clinic/contract/limits';
import type { DrawingName } from '../layout/drawing.tsx';

export interface MedicalService {
  readonly name: string;
  readonly drawing: DrawingName;
  readonly summary: string;
  /** Specialty to link to in the directory; without one, all doctors. */
  readonly specialty?: Specialty;
}

/** The four services of the clinic. */
export const medicalServices: readonly MedicalService[] = [
  {
    name: 'Cardiology',
    drawing: 'heart',
    specialty: 'Cardiologist',
    summary: 'From a first check of your blood pressure to long-term care after a heart attack.',
  },
  {
    name: 'Emergency Care',
    drawing: 'siren',
    specialty: 'Emergency Medicine',
    summary: 'Open day and night, with doctors, imaging and a laboratory on the same floor.',
  },
  {
    name: 'Family Medicine',
    drawing: 'home',
    specialty: 'Family Medicine',
    summary: 'One doctor who knows you and your family, for everyday health at every age.',
  },
  {
    name: 'Preventive Care',
    drawing: 'shield',
    summary: 'Check-ups, screenings and advice that find trouble early or keep it away.',
  },
];
