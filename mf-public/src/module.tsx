import { defineRemoteModule, lazyScreen } from '@clinic/app-kit';
import './styles.css';

export default defineRemoteModule({
  createRoutes: () => [
    { path: '/', ...lazyScreen(async () => (await import('./home/home-page.tsx')).HomePage) },
    { path: '/about', ...lazyScreen(async () => (await import('./about/about-page.tsx')).AboutPage) },
    { path: '/services', ...lazyScreen(async () => (await import('./services/services-page.tsx')).ServicesPage) },
    {
      path: '/ourDoctors',
      ...lazyScreen(async () => (await import('./doctors/doctor-directory-page.tsx')).DoctorDirectoryPage),
    },
  ],
});
