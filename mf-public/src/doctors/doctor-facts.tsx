import { brand, type Doctor, type Specialty } from '@clinic/contracts';
import { useEffect } from 'react';
import { addDataBlock } from './data-block.ts';
import { specialtyOf } from './filter-doctors.ts';

/** Our specialties in the words of https://schema.org/MedicalSpecialty. */
const specialtyNames: Readonly<Record<Specialty, string>> = {
  Cardiologist: 'Cardiovascular',
  'Emergency Medicine': 'Emergency',
  'Family Medicine': 'PrimaryCare',
  'Orthopedic Surgery': 'Musculoskeletal',
  Pediatrics: 'Pediatric',
  Dermatology: 'Dermatologic',
};

/** The doctors as data for search engines (https://schema.org/Physician); the clinic they belong to is told by the server. */
export function DoctorFacts({ doctors }: { readonly doctors: readonly Doctor[] }) {
  const { origin } = location;
  const facts = doctors.map((doctor) => ({
    '@context': 'https://schema.org', '@type': 'Physician',
    name: doctor.name, email: doctor.email, description: `${specialtyOf(doctor)}, ${doctor.qualification}`,
    medicalSpecialty: specialtyNames[specialtyOf(doctor) as Specialty] ?? specialtyOf(doctor),
    url: `${origin}/ourDoctors?q=${encodeURIComponent(doctor.name)}`,
    ...(URL.canParse(doctor.image, origin) && doctor.image !== '' && { image: new URL(doctor.image, origin).href }),
    telephone: brand.phone, address: brand.address, memberOf: { '@id': `${origin}/#clinic` },
  }));
  const json = JSON.stringify(facts);
  // An element of React's would be made of markup in a string, which the content security policy refuses.
  useEffect(() => addDataBlock('application/ld+json', JSON.parse(json)), [json]);
  return null;
}
