import type { Specialty } from '@clinic/contracts';
import type { DrawingName } from '../layout/drawing.tsx';

export interface MedicalService {
  readonly name: string;
  readonly drawing: DrawingName;
  readonly summary: string;
  readonly details: readonly string[];
  /** Where its doctors are found; without one, all of them. */
  readonly specialty?: Specialty;
}

/** The four services of the clinic (specification section 1). */
export const medicalServices: readonly MedicalService[] = [
  {
    name: 'Cardiology',
    drawing: 'heart',
    specialty: 'Cardiologist',
    summary: 'From a first check of your blood pressure to long-term care after a heart attack.',
    details: ['ECG, echocardiogram and stress test on site', 'Blood pressure and cholesterol clinics', 'Follow-up after a stent or surgery', 'A care plan you can read and keep'],
  },
  {
    name: 'Emergency Care',
    drawing: 'siren',
    specialty: 'Emergency Medicine',
    summary: 'Open day and night, with doctors, imaging and a laboratory on the same floor.',
    details: ['Seen by a nurse within minutes of arrival', 'X-ray, ultrasound and laboratory around the clock', 'Wounds, fractures, chest pain, high fever', 'Transfer to a hospital arranged by us when needed'],
  },
  {
    name: 'Family Medicine',
    drawing: 'home',
    specialty: 'Family Medicine',
    summary: 'One doctor who knows you and your family, for everyday health at every age.',
    details: ['Visits for children, adults and grandparents', 'Care for diabetes, asthma and other long-term conditions', 'Vaccinations and travel advice', 'Referrals within the clinic, without a second waiting list'],
  },
  {
    name: 'Preventive Care',
    drawing: 'shield',
    summary: 'Check-ups, screenings and advice that find trouble early or keep it away.',
    details: ['Yearly health check with laboratory results explained', 'Cancer and heart screenings by age and risk', 'Nutrition, sleep and quit-smoking advice', 'Reminders when your next check is due'],
  },
];
