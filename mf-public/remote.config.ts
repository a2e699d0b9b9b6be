import { defineRemote } from '@clinic/webpack-config/remote';
import { questionFacts } from './src/home/questions.ts';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-public',
  title: 'Public pages',
  pages: [
    {
      path: '/',
      html: 'rendered',
      screen: './src/home/home-page.tsx',
      layout: 'public',
      access: 'everyone',
      title: 'Exceptional healthcare since 2010',
      description:
        'Find a doctor, book an appointment in a minute and order medicines. Cardiology, emergency care, family medicine and prevention under one roof in Dhaka.',
      facts: [questionFacts],
    },
    {
      path: '/about',
      html: 'built',
      screen: './src/about/about-page.tsx',
      layout: 'public',
      access: 'everyone',
      title: 'About Us',
      topBar: { label: 'About', order: 30 },
      description:
        'Who we are: a clinic that has cared for families, neighbours and newcomers since 2010. Our mission, our vision and the four values we hold each other to.',
    },
    {
      path: '/services',
      html: 'built',
      screen: './src/services/services-page.tsx',
      layout: 'public',
      access: 'everyone',
      title: 'Services',
      description:
        'Cardiology, emergency care, family medicine and preventive care: what we do, what to expect, and who will look after you.',
    },
    {
      path: '/ourDoctors',
      html: 'rendered',
      screen: './src/doctors/doctor-directory-page.tsx',
      layout: 'public',
      access: 'everyone',
      title: 'Our Doctors',
      topBar: { label: 'Doctors', order: 10 },
      menu: [{ label: 'Doctors', roles: ['patient'], order: 30, icon: 'stethoscope', group: 'My own' }],
      description:
        'Search our doctors by name or specialty, see their experience and their next free time, and book an appointment online.',
    },
  ],
  redirects: [{ from: '/appointments', to: '/ourDoctors' }],
});
