import type { Specialty } from '@clinic/svc-clinic/contract/limits';

const morning = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'];
const afternoon = ['14:00', '14:30', '15:00', '15:30', '16:00'];
const evening = ['17:00', '17:30', '18:00', '18:30', '19:00'];
const roundTheClock = ['00:00', '04:00', '08:00', '12:00', '16:00', '20:00'];

type Row = readonly [
  person: readonly [firstName: string, lastName: string, dateOfBirth: string],
  training: readonly [specialty: Specialty, qualification: string, education: string, experience: number],
  practice: readonly [location: string, isAvailable: boolean, availableTimes: readonly string[], rating: number],
];

/** What distinguishes the doctors of the demo clinic, three for each specialty. */
export const doctorRows: readonly Row[] = [
  [
    ['Farhana', 'Siddiqui', '1979-05-04'],
    ['Cardiologist', 'MBBS, MD, FACC', 'Dhaka Medical College', 19],
    ['Heart Centre, Level 3', true, [...morning, ...afternoon], 4.9],
  ],
  [
    ['Marcus', 'Bennett', '1971-09-21'],
    ['Cardiologist', 'MD, FESC', 'University of Edinburgh', 26],
    ['Heart Centre, Level 3', true, afternoon, 4.7],
  ],
  [
    ['Ishita', 'Banerjee', '1986-02-11'],
    ['Cardiologist', 'MBBS, DM Cardiology', 'AIIMS New Delhi', 11],
    ['Heart Centre, Level 4', false, morning, 4.6],
  ],
  [
    ['Omar', 'Faruk', '1983-12-01'],
    ['Emergency Medicine', 'MBBS, MRCEM', 'Sylhet MAG Osmani Medical College', 13],
    ['Emergency, Ground Floor', true, roundTheClock, 4.8],
  ],
  [
    ['Chloe', 'Nguyen', '1989-07-30'],
    ['Emergency Medicine', 'MD, FACEM', 'University of Melbourne', 9],
    ['Emergency, Ground Floor', true, [], 4.5],
  ],
  [
    ['Samuel', 'Adeyemi', '1976-04-18'],
    ['Emergency Medicine', 'MBBS, FWACS', 'University of Ibadan', 21],
    ['Emergency, Ground Floor', true, evening, 4.7],
  ],
  [
    ['Tahmina', 'Akter', '1988-10-08'],
    ['Family Medicine', 'MBBS, MRCGP', 'Chittagong Medical College', 10],
    ['Family Clinic, Level 1', true, [...morning, ...evening], 4.9],
  ],
  [
    ['Peter', 'Hofmann', '1968-01-15'],
    ['Family Medicine', 'Dr. med., Facharzt', 'Heidelberg University', 30],
    ['Family Clinic, Level 1', true, morning, 4.4],
  ],
  [
    ['Priya', 'Nair', '1992-06-27'],
    ['Family Medicine', 'MBBS, DNB', 'Government Medical College Kottayam', 6],
    ['Family Clinic, Level 1', true, afternoon, 4.6],
  ],
  [
    ['Rezaul', 'Karim', '1974-03-09'],
    ['Orthopedic Surgery', 'MBBS, MS Ortho', 'NITOR Dhaka', 23],
    ['Bone & Joint, Level 2', true, [...morning, '14:00', '14:30'], 4.8],
  ],
  [
    ['Elena', 'Petrova', '1981-11-19'],
    ['Orthopedic Surgery', 'MD, PhD', 'Sechenov University', 16],
    ['Bone & Joint, Level 2', true, afternoon, 4.7],
  ],
  [
    ['Kwame', 'Mensah', '1985-08-23'],
    ['Orthopedic Surgery', 'MBChB, FGCS', 'University of Ghana', 12],
    ['Bone & Joint, Level 2', false, evening, 4.5],
  ],
  [
    ['Sabrina', 'Hossain', '1987-05-16'],
    ['Pediatrics', 'MBBS, FCPS Pediatrics', 'Sir Salimullah Medical College', 11],
    ['Children’s Clinic, Level 1', true, [...morning, ...afternoon], 4.9],
  ],
  [
    ['David', 'Cohen', '1977-02-02'],
    ['Pediatrics', 'MD, FAAP', 'Tel Aviv University', 20],
    ['Children’s Clinic, Level 1', true, morning, 4.8],
  ],
  [
    ['Mei', 'Tanaka', '1990-12-12'],
    ['Pediatrics', 'MD', 'Kyoto University', 8],
    ['Children’s Clinic, Level 1', true, [...afternoon, ...evening], 4.7],
  ],
  [
    ['Nusrat', 'Jahan', '1984-07-07'],
    ['Dermatology', 'MBBS, DDV, MCPS', 'Rajshahi Medical College', 14],
    ['Skin Clinic, Level 2', true, ['17:00', '17:45', '18:30', '19:15'], 4.6],
  ],
  [
    ['Lucas', 'Moreau', '1980-10-26'],
    ['Dermatology', 'MD', 'Sorbonne University', 17],
    ['Skin Clinic, Level 2', true, morning, 4.3],
  ],
  [
    ['Fatima', 'El-Sayed', '1993-01-21'],
    ['Dermatology', 'MBBCh, MSc', 'Cairo University', 5],
    ['Skin Clinic, Level 2', true, afternoon, 4.8],
  ],
];
