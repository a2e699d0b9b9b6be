import { definePage, Link, useLocation, useSession } from '@clinic/app-kit';
import { Slot, withSlots } from '@clinic/app-kit/slots';
import { PageHeader } from '@clinic/ui';
import { useEffect, useRef } from 'react';
import { DeletionSection } from './deletion-section.tsx';
import { DetailsSection } from './details-section.tsx';
import { DownloadButton } from './download-button.tsx';
import { EmailSection } from './email-section.tsx';
import { GoogleSection } from './google-section.tsx';
import { LooksSection } from './looks-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondStepSection } from './second-step-section.tsx';
import { Section } from './section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { useContents } from './use-contents.ts';
import '../setup.ts';

/** My Account (`/dash/account`): the signed-in person's data, how they sign in, and everything they can do about both. */
export function AccountPage() {
  const { user } = useSession();
  // The key changes with each press, even on the entry pressed last.
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, key]);
  const page = useRef<HTMLDivElement>(null);
  const contents = useContents(page);
  if (!user) return null;
  const { email } = user;
  return (
    <>
      <PageHeader title="My Account" description="Your details, how you log in, and what we hold about you." />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,48rem)_14rem] xl:gap-10">
        <nav aria-label="On this page" className="xl:sticky xl:top-10 xl:order-last">
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm xl:grid xl:gap-1">
            {contents.map(({ id, title }) => (
              <li key={id}>
                <Link
                  to={`#${id}`}
                  preventScrollReset
                  className="inline-block py-1 text-primary underline-offset-4 hover:underline"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div ref={page} className="grid min-w-0 gap-6">
          <DetailsSection email={email} />
          <EmailSection email={email} />
          <PasswordSection />
          <GoogleSection />
          <SecondStepSection email={email} />
          <SessionsSection email={email} />
          <LooksSection email={email} />
          <Slot name="account" props={{ email }} />
          <Section
            id="data"
            title="Your data"
            text="Download everything we hold about you in one file: your details, where you’re logged in, and your appointments and orders with their history."
          >
            <div>
              <DownloadButton email={email} label="Download my data" />
            </div>
          </Section>
          <DeletionSection email={email} />
        </div>
      </div>
    </>
  );
}

export default definePage(withSlots(AccountPage));
