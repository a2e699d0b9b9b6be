import { defineRemoteModule } from '@clinic/app-kit';
import './styles.css';

export default defineRemoteModule({
  createRoutes: () => [
    { path: '/', lazy: async () => ({ Component: (await import('./home/home-page.tsx')).HomePage }) },
    { path: '/about', lazy: async () => ({ Component: (await import('./about/about-page.tsx')).AboutPage }) },
    { path: '/services', lazy: async () => ({ Component: (await import('./services/services-page.tsx')).ServicesPage }) },
    { path: '/ourDoctors', lazy: async () => ({ Component: (await import('./doctors/doctor-directory-page.tsx')).DoctorDirectoryPage }) },
  ],
});
