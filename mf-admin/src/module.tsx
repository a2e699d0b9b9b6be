import { defineRemoteModule } from '@clinic/app-kit';
import { routes } from '@clinic/contracts';
import './styles.css';

export default defineRemoteModule({
  // The shell may be of the previous release, whose client knows fewer calls than these pages make.
  calls: routes,
  createRoutes: ({ openSlot }) => [
    { path: '/dash/admin', lazy: async () => ({ Component: (await import('./users/users-page.tsx')).UsersPage }) },
    {
      path: '/dash/doctors',
      lazy: async () => ({ Component: (await import('./doctors/doctors-page.tsx')).DoctorsPage }),
    },
    {
      path: '/dash/pharmacists',
      lazy: async () => ({ Component: (await import('./pharmacists/pharmacists-page.tsx')).PharmacistsPage }),
    },
    {
      path: '/dash/createProfile',
      lazy: async () => ({ Component: (await import('./profiles/create-profile-page.tsx')).CreateProfilePage }),
    },
    {
      path: '/dash/staff',
      lazy: async () => ({ Component: (await import('./staff/invitations-page.tsx')).InvitationsPage }),
    },
    {
      path: '/dash/staff/add',
      lazy: async () => ({ Component: (await import('./staff/add-staff-page.tsx')).AddStaffPage }),
    },
    {
      path: '/dash/overview',
      lazy: async () => {
        const [{ createOverviewPage }, Figures] = await Promise.all([
          import('./overview/overview-page.tsx'),
          openSlot('overview'),
        ]);
        return { Component: createOverviewPage(Figures) };
      },
    },
    {
      path: '/dash/account',
      lazy: async () => ({ Component: (await import('./account/account-page.tsx')).AccountPage }),
    },
    {
      path: '/dash/history',
      lazy: async () => ({ Component: (await import('./history/history-page.tsx')).HistoryPage }),
    },
  ],
});
