import { openDaysCode, openingTimes } from './opening-days.ts';

/** The clinic's name and contact details. Change them here for another brand. */
export const brand = {
  brandName: 'Waterlily Clinic',
  tagline: 'Exceptional healthcare since 2010',
  /** As people read it; `tel:` links drop the spaces. */
  phone: '+880 1555 010000',
  /** The ambulance's number, for emergencies. */
  emergencyPhone: '999',
  email: 'hello@waterlily-clinic.example',
  /** Number and district stay on one line. */
  address: '12 Lakeside Road, Gulshan\u00a02, Dhaka\u00a01212',
  /** For front-ends of earlier releases; a test compares it with `openingHours`, which pages use. */
  openingHours: 'Every day, 8\u00a0am to 8\u00a0pm. Emergency care 24/7.',
} as const;

/** {@link brand} in schema.org terms. Only used in the page's structured data, so browsers don't load it as code. */
export const brandFacts = {
  foundingDate: '2010',
  address: {
    streetAddress: '12 Lakeside Road, Gulshan 2',
    addressLocality: 'Dhaka',
    postalCode: '1212',
    addressCountry: 'BD',
  },
  openingHours: `${/* @__PURE__ */ openDaysCode()} ${openingTimes.from}-${openingTimes.until}`,
  medicalSpecialty: ['Cardiovascular', 'Dermatologic', 'Emergency', 'Musculoskeletal', 'Pediatric', 'PrimaryCare'],
} as const;

/**
 * The clinic as a https://schema.org/MedicalClinic.
 *
 * @param publicUrl - its public scheme and host
 * @param image - address of a picture
 */
export function clinicFacts(publicUrl: string, image: string): object {
  const { address, ...facts } = brandFacts;
  return {
    '@type': 'MedicalClinic',
    '@id': `${publicUrl}/#clinic`,
    name: brand.brandName,
    slogan: brand.tagline,
    url: `${publicUrl}/`,
    logo: `${publicUrl}/shell/icon-192.png`,
    image,
    telephone: brand.phone,
    email: brand.email,
    address: { '@type': 'PostalAddress', ...address },
    ...facts,
  };
}

/** The state or province of the address, for programs that need one. */
export const brandRegion = 'Dhaka';
