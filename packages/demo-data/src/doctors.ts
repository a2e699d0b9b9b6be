import type { Specialty } from '@clinic/contracts';
import { demoAccounts, type DemoPerson } from './people.ts';

/** A doctor of the demo clinic: person and profile. */
export interface DemoDoctor extends DemoPerson {
  /** As patients read it, with title. */
  readonly name: string;
  readonly specialty: Specialty;
  readonly qualification: string;
  readonly education: string;
  /** Years. */
  readonly experience: number;
  readonly location: string;
  /** URL of the portrait. */
  readonly image: string;
  readonly isAvailable: boolean;
  /** 'HH:mm' in the clinic's time zone; empty: the doctor lists no times. */
  readonly availableTimes: readonly string[];
  /** 0 to 5. */
  readonly rating: number;
}

const morning = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'];
const afternoon = ['14:00', '14:30', '15:00', '15:30', '16:00'];
const evening = ['17:00', '17:30', '18:00', '18:30', '19:00'];
const roundTheClock = ['00:00', '04:00', '08:00', '12:00', '16:00', '20:00'];

type Row = readonly [
  firstName: string, lastName: string, bornOn: string, specialty: Specialty, qualification: string, education: string,
  experience: number, location: string, isAvailable: boolean, availableTimes: readonly string[], rating: number,
];

const rows: readonly Row[] = [
  ['Farhana', 'Siddiqui', '1979-05-04', 'Cardiologist', 'MBBS, MD, FACC', 'Dhaka Medical College', 19, 'Heart Centre, Level 3', true, [...morning, ...afternoon], 4.9],
  ['Marcus', 'Bennett', '1971-09-21', 'Cardiologist', 'MD, FESC', 'University of Edinburgh', 26, 'Heart Centre, Level 3', true, afternoon, 4.7],
  ['Ishita', 'Banerjee', '1986-02-11', 'Cardiologist', 'MBBS, DM Cardiology', 'AIIMS New Delhi', 11, 'Heart Centre, Level 4', false, morning, 4.6],
  ['Omar', 'Faruk', '1983-12-01', 'Emergency Medicine', 'MBBS, MRCEM', 'Sylhet MAG Osmani Medical College', 13, 'Emergency, Ground Floor', true, roundTheClock, 4.8],
  ['Chloe', 'Nguyen', '1989-07-30', 'Emergency Medicine', 'MD, FACEM', 'University of Melbourne', 9, 'Emergency, Ground Floor', true, [], 4.5],
  ['Samuel', 'Adeyemi', '1976-04-18', 'Emergency Medicine', 'MBBS, FWACS', 'University of Ibadan', 21, 'Emergency, Ground Floor', true, evening, 4.7],
  ['Tahmina', 'Akter', '1988-10-08', 'Family Medicine', 'MBBS, MRCGP', 'Chittagong Medical College', 10, 'Family Clinic, Level 1', true, [...morning, ...evening], 4.9],
  ['Peter', 'Hofmann', '1968-01-15', 'Family Medicine', 'Dr. med., Facharzt', 'Heidelberg University', 30, 'Family Clinic, Level 1', true, morning, 4.4],
  ['Priya', 'Nair', '1992-06-27', 'Family Medicine', 'MBBS, DNB', 'Government Medical College Kottayam', 6, 'Family Clinic, Level 1', true, afternoon, 4.6],
  ['Rezaul', 'Karim', '1974-03-09', 'Orthopedic Surgery', 'MBBS, MS Ortho', 'NITOR Dhaka', 23, 'Bone & Joint, Level 2', true, [...morning, '14:00', '14:30'], 4.8],
  ['Elena', 'Petrova', '1981-11-19', 'Orthopedic Surgery', 'MD, PhD', 'Sechenov University', 16, 'Bone & Joint, Level 2', true, afternoon, 4.7],
  ['Kwame', 'Mensah', '1985-08-23', 'Orthopedic Surgery', 'MBChB, FGCS', 'University of Ghana', 12, 'Bone & Joint, Level 2', false, evening, 4.5],
  ['Sabrina', 'Hossain', '1987-05-16', 'Pediatrics', 'MBBS, FCPS Pediatrics', 'Sir Salimullah Medical College', 11, 'Children’s Clinic, Level 1', true, [...morning, ...afternoon], 4.9],
  ['David', 'Cohen', '1977-02-02', 'Pediatrics', 'MD, FAAP', 'Tel Aviv University', 20, 'Children’s Clinic, Level 1', true, morning, 4.8],
  ['Mei', 'Tanaka', '1990-12-12', 'Pediatrics', 'MD', 'Kyoto University', 8, 'Children’s Clinic, Level 1', true, [...afternoon, ...evening], 4.7],
  ['Nusrat', 'Jahan', '1984-07-07', 'Dermatology', 'MBBS, DDV, MCPS', 'Rajshahi Medical College', 14, 'Skin Clinic, Level 2', true, evening, 4.6],
  ['Lucas', 'Moreau', '1980-10-26', 'Dermatology', 'MD', 'Sorbonne University', 17, 'Skin Clinic, Level 2', true, morning, 4.3],
  ['Fatima', 'El-Sayed', '1993-01-21', 'Dermatology', 'MBBCh, MSc', 'Cairo University', 5, 'Skin Clinic, Level 2', true, afternoon, 4.8],
];

/** Eighteen doctors, three for each of the six specialties; the seventh is the demo account. */
export const demoDoctors: readonly DemoDoctor[] = rows.map(
  ([firstName, lastName, dateOfBirth, specialty, qualification, education, experience, location, isAvailable, availableTimes, rating], index) => {
    const number = String(index + 1).padStart(2, '0');
    return {
      firstName, lastName, dateOfBirth, specialty, qualification, education, experience, location, isAvailable, availableTimes, rating,
      name: `Dr. ${firstName} ${lastName}`,
      email: index === 6 ? demoAccounts.doctor : `${firstName}.${lastName}@clinic.example`.toLowerCase(),
      phone: `+880 1555 0102${number}`,
      image: `/mf/mf-public/portraits/doctor-${number}.svg`,
    };
  },
);
