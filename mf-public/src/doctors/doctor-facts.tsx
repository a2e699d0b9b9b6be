import { usePageFacts } from '@clinic/app-kit/page-facts';
import { brand } from '@clinic/contracts';
import type { Specialty } from '@clinic/svc-clinic/contract/limits';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { specialtyOf } from './directory-filter.ts';

/** Our specialties as https://schema.org/MedicalSpecialty terms. */
const specialtyNames: Readonly<Record<Specialty, string>> = {
  Cardiologist: 'Cardiovascular',
  'Emergency Medicine': 'Emergency',
  'Family Medicine': 'PrimaryCare',
  'Orthopedic Surgery': 'Musculoskeletal',
  Pediatrics: 'Pediatric',
  Dermatology: 'Dermatologic',
};

/** The doctors as structured data for search engines (https://schema.org/Physician); the server adds the clinic they belong to. */
export function DoctorFacts({ doctors }: { readonly doctors: readonly Doctor[] }) {
  const { origin } = location;
  const facts = doctors.map((doctor) => ({
    '@type': 'Physician',
    name: doctor.name,
    email: doctor.email,
    description: `${specialtyOf(doctor)}, ${doctor.qualification}`,
    medicalSpecialty: specialtyNames[specialtyOf(doctor) as Specialty] ?? specialtyOf(doctor),
    url: `${origin}/ourDoctors?q=${encodeURIComponent(doctor.name)}`,
    ...(URL.canParse(doctor.image, origin) && doctor.image !== '' && { image: new URL(doctor.image, origin).href }),
    telephone: brand.phone,
    address: brand.address,
    memberOf: { '@id': `${origin}/#clinic` },
  }));
  usePageFacts(facts);
  return null;
}
