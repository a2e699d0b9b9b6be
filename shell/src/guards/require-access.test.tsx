import { prepareEnvironment, startTestClinic, type TestClinic } from '@clinic/app-kit/test-clinic';
import { mayOpen, roles, type PageDescriptor } from '@clinic/contracts';
import { cleanup, screen } from '@testing-library/react';
import admin from '../../../mf-admin/remote.config.ts';
import appointments from '../../../mf-clinic/remote.config.ts';
import messages from '../../../mf-messages/remote.config.ts';
import pharmacy from '../../../mf-pharmacy/remote.config.ts';
import publicSite from '../../../mf-public/remote.config.ts';
import { openPage } from '../testing/open-page.tsx';
import { RequireAccess } from './require-access.tsx';

const pages: readonly PageDescriptor[] = [publicSite, appointments, pharmacy, admin, messages].flatMap(
  (remote) => remote.pages,
);
const pageAt = (path: string) => pages.find((page) => page.path === path);

let clinic: TestClinic;

beforeAll(prepareEnvironment);
afterEach(() => clinic.close());

test.each(roles)('the home page’s Book Appointment brings %s to a page of theirs', async (role) => {
  const page = pageAt('/dash/appoinments') as PageDescriptor;
  clinic = await startTestClinic({
    email: `${role}@clinic.example`,
    firstName: 'Ann',
    lastName: 'Lee',
    role,
    emailVerified: true,
  });
  await openPage(
    clinic,
    page.path,
    <RequireAccess page={page}>
      <p>Now at {page.path}</p>
    </RequireAccess>,
  );
  const place = (await screen.findByText(/^Now at/)).textContent.replace('Now at ', '');
  expect(place).toBe(role === 'admin' ? page.path : '/ourDoctors');
  expect(mayOpen(pageAt(place)?.access ?? [], role)).toBe(true);
  cleanup();
});
