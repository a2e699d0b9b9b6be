import type { Doctor } from '@clinic/contracts';
import { filterDoctors, sortFrom } from './filter-doctors.ts';

function doctor(name: string, specialty: string, experience: number, rating = 4): Doctor {
  return {
    _id: name,
    id: name,
    name,
    email: '',
    qualification: '',
    education: '',
    specialization: specialty,
    specialty,
    experience,
    location: '',
    image: '',
    isAvailable: true,
    availableTimes: [],
    rating,
    nextFree: null,
    daysOff: [],
  };
}

const doctors = [
  doctor('Dr. Mei Tanaka', 'Pediatrics', 8, 5),
  doctor('Dr. Ada Cardoso', 'Dermatology', 20),
  doctor('Dr. Omar Faruk', 'Cardiologist', 20, 3),
];
const names = (found: readonly Doctor[]) => found.map(({ name }) => name);

test('finds by name or specialty in any case', () => {
  expect(names(filterDoctors(doctors, { text: ' CARD', specialty: '', sort: 'name' }))).toEqual([
    'Dr. Ada Cardoso',
    'Dr. Omar Faruk',
  ]);
});

test('finds a name however it is typed', () => {
  const many = [
    doctor('Dr. Jos\u00e9 \u0130nan', 'Pediatrics', 1),
    doctor('Dr. Weiß', 'Dermatology', 1),
    doctor('Dr. বিজ\u09dfা', 'Cardiologist', 1),
  ];
  for (const text of ['JOSE\u0301', 'inan', '\u0130NAN'])
    expect(names(filterDoctors(many, { text, specialty: '', sort: 'name' }))).toEqual(['Dr. Jos\u00e9 \u0130nan']);
  expect(names(filterDoctors(many, { text: 'WEISS', specialty: '', sort: 'name' }))).toEqual(['Dr. Weiß']);
  expect(names(filterDoctors(many, { text: '\u09af\u09bcা', specialty: '', sort: 'name' }))).toEqual(['Dr. বিজ\u09dfা']);
  expect(filterDoctors(many, { text: '\u200b', specialty: '', sort: 'name' })).toEqual([]);
});

test('filters by specialty, combined with search', () => {
  expect(names(filterDoctors(doctors, { text: 'card', specialty: 'Cardiologist', sort: 'name' }))).toEqual([
    'Dr. Omar Faruk',
  ]);
});

test('sorts by experience, then by name, and doesn’t change the given list', () => {
  const before = names(doctors);
  expect(names(filterDoctors(doctors, { text: '', specialty: '', sort: 'experience' }))).toEqual([
    'Dr. Ada Cardoso',
    'Dr. Omar Faruk',
    'Dr. Mei Tanaka',
  ]);
  expect(names(doctors)).toEqual(before);
});

test('supports the rating order, which no selector offers', () => {
  expect(names(filterDoctors(doctors, { text: '', specialty: '', sort: sortFrom('rating') }))[0]).toBe(
    'Dr. Mei Tanaka',
  );
});

test('falls back to names for an unknown order', () => {
  expect(sortFrom('salary')).toBe('name');
});
