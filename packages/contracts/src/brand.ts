/** How the clinic presents itself. The one place to change for another brand. */
export const brand = {
  brandName: 'Waterlily Clinic',
  tagline: 'Exceptional healthcare since 2010',
  /** As people read it; `tel:` links drop the blanks. */
  phone: '+880 1555 010000',
  email: 'hello@waterlily-clinic.example',
  address: '12 Lakeside Road, Gulshan 2, Dhaka 1212',
  openingHours: 'Saturday to Thursday, 8:00–20:00. Emergency care 24/7.',
} as const;
