import { searchKey } from '@clinic/contracts/search-key';
import type { Specialty } from '../contract/limits.ts';

/**
 * Patients' words for our specialties, besides the directory's own names. The directory's search finds them; add words
 * here, in lower case.
 */
const words: Readonly<Record<Specialty, readonly string[]>> = {
  Cardiologist: ['cardiology', 'cardiac', 'heart doctor', 'heart specialist', 'heart', 'blood pressure'],
  'Emergency Medicine': ['emergency doctor', 'emergencies', 'urgent care', 'accident', 'a&e'],
  'Family Medicine': ['family doctor', 'family physician', 'general practitioner', 'general practice', 'gp'],
  'Orthopedic Surgery': [
    'orthopedics',
    'orthopedist',
    'orthopedic surgeon',
    'orthopaedics',
    'orthopaedic surgeon',
    'bone doctor',
    'bones',
    'joints',
    'fracture',
  ],
  Pediatrics: ['pediatrician', 'paediatrics', 'paediatrician', 'child doctor', 'children', 'baby', 'kids'],
  Dermatology: ['dermatologist', 'skin doctor', 'skin specialist', 'skin'],
};

/**
 * Minimum length of a word's beginning that counts: fewer characters would turn a search for a name into one for a
 * specialty.
 */
const shortestBeginning = 4;

/**
 * The specialties for which patients use a word.
 *
 * @param text - as typed
 * @returns search keys of their names; empty if no word fits
 */
export function specialtiesMeant(text: string): string[] {
  const key = searchKey(text);
  const fits = (word: string): boolean => word === key || (key.length >= shortestBeginning && word.startsWith(key));
  return Object.entries(words)
    .filter(([, others]) => others.some(fits))
    .map(([specialty]) => searchKey(specialty));
}
