import { formatShortDate, useCall, useSession } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { brand, Card, Details, ErrorState, PageHeader } from '@clinic/ui';
import type { ReactNode } from 'react';
import { DownloadButton } from './download-button.tsx';

/** My Account (`/dash/account`): what the clinic knows of the signed-in person, and how they get a copy of it or have it deleted. */
export function AccountPage() {
  const { user } = useSession();
  if (!user) return null;
  return (
    <>
      <PageHeader title="My Account" description="Who you are to the clinic, and what we keep about you." />
      <div className="grid max-w-3xl gap-6">
        <Card as="section" aria-labelledby="who"><Heading id="who">Your details</Heading><OwnDetails email={user.email} /></Card>
        <Card as="section" aria-labelledby="data" className="grid justify-items-start gap-4">
          <Heading id="data">Your data</Heading>
          <p>Download everything that we keep about you as one file: your details, where you are logged in, your appointments and orders, and what happened to them.</p>
          <DownloadButton email={user.email} label="Download my data" />
        </Card>
        <Card as="section" aria-labelledby="deletion" className="grid gap-2">
          <Heading id="deletion">Deleting your account</Heading>
          <p>
            Write to <a className="text-primary underline underline-offset-4 wrap-anywhere" href={`mailto:${brand.email}?subject=${encodeURIComponent('Please delete my account')}`}>{brand.email}</a> from
            your e-mail address. What is still to come is cancelled then, and your name, contact details, age and date of birth are
            removed everywhere. That can’t be undone.
          </p>
        </Card>
      </div>
    </>
  );
}

const Heading = ({ id, children }: { readonly id: string; readonly children: ReactNode }) => <h2 id={id} className="mb-2 text-lg font-semibold">{children}</h2>;

function OwnDetails({ email }: { readonly email: string }) {
  const { data, error, refetch } = useCall('getUser', { params: { email } });
  if (error) return <ErrorState title="Error loading your details" text={error.message} onRetry={() => void refetch()} />;
  return data ? <Details items={detailsOf(data)} /> : <p className="text-muted">Loading...</p>;
}

const detailsOf = ({ firstName, lastName, email, phone, dateOfBirth }: User): [string, string][] => [
  ['Name', `${firstName} ${lastName}`.trim() || '–'],
  ['Email', email],
  ['Phone', phone || '–'],
  ['Date of birth', dateOfBirth ? formatShortDate(dateOfBirth) : '–'],
];
