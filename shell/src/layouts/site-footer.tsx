import { Link } from '@clinic/app-kit';
import { brand, EmailLink, Icon, Logo } from '@clinic/ui';
import type { ReactNode } from 'react';
import { openThemeDialog } from '../theme/open-theme-dialog.ts';

const quickLinks = [
  { to: '/about', label: 'About Us' },
  { to: '/services', label: 'Services' },
  { to: '/ourDoctors', label: 'Doctors' },
  { to: '/appointments', label: 'Appointments' },
] as const;

const link = 'inline-block rounded-sm py-1.5 hover:text-primary hover:underline';

/** Footer of the public pages in three columns. */
export function SiteFooter() {
  return (
    <footer className="border-t border-line bg-base-100">
      <div className="mx-auto grid max-w-page gap-10 px-4 py-12 sm:px-6 md:grid-cols-[1fr_auto_auto] md:gap-x-12 lg:grid-cols-[1.6fr_1fr_1.4fr]">
        <div className="grid content-start gap-4">
          <Logo />
          <p className="max-w-xs text-muted">{brand.tagline}</p>
        </div>
        <nav aria-labelledby="footer-links">
          <h2 id="footer-links" className="mb-3 text-base font-semibold">
            Quick Links
          </h2>
          <ul>
            {quickLinks.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className={link}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-labelledby="footer-contact">
          <h2 id="footer-contact" className="mb-3 text-base font-semibold">
            Contact Info
          </h2>
          <address className="grid gap-1 not-italic">
            <Contact icon="phone">
              <a href={`tel:${brand.phone.replaceAll(' ', '')}`} className={link}>
                {brand.phone}
              </a>
            </Contact>
            <Contact icon="mail">
              <EmailLink email={brand.email} className={link} />
            </Contact>
            <Contact icon="pin">
              <span className="py-1.5">{brand.address}</span>
            </Contact>
          </address>
        </section>
      </div>
      <p className="border-t border-line px-4 py-5 text-center text-sm text-muted">
        © 2025 {brand.brandName}. All rights reserved.{' '}
        <button type="button" className="underline" onClick={openThemeDialog}>
          Theme
        </button>
      </p>
    </footer>
  );
}

function Contact({ icon, children }: { readonly icon: string; readonly children: ReactNode }) {
  return (
    <span className="flex items-start gap-3">
      <Icon name={icon} size={18} className="mt-2.5 shrink-0 text-primary" />
      {children}
    </span>
  );
}
