import { definePage, Link } from '@clinic/app-kit';
import { brand, ButtonLink, Card, Icon } from '@clinic/ui';
import { Drawing } from '../layout/drawing.tsx';
import { PageIntro } from '../layout/page-intro.tsx';
import { medicalServices, type MedicalService } from './services.ts';
import '../setup.ts';

/** What each service offers, by name. Not with the names, because the home page loads those, too. */
const offers: Readonly<Record<string, readonly string[]>> = {
  Cardiology: [
    'ECG, echocardiogram and stress test on site',
    'Blood pressure and cholesterol clinics',
    'Follow-up after a stent or surgery',
    'A care plan you can read and keep',
  ],
  'Emergency Care': [
    'Seen by a nurse within minutes of arrival',
    'X-ray, ultrasound and laboratory around the clock',
    'Wounds, fractures, chest pain, high fever',
    'Transfer to a hospital arranged by us when needed',
  ],
  'Family Medicine': [
    'Visits for children, adults and grandparents',
    'Care for diabetes, asthma and other long-term conditions',
    'Vaccinations and travel advice',
    'Referrals within the clinic, without a second waiting list',
  ],
  'Preventive Care': [
    'Yearly health check with laboratory results explained',
    'Cancer and heart screenings by age and risk',
    'Nutrition, sleep and quit-smoking advice',
    'Reminders when your next check is due',
  ],
};

/** Our Medical Services (`/services`), linked from the footer. */
export function ServicesPage() {
  return (
    <>
      <PageIntro title="Our Medical Services">What we do, what to expect, and who will look after you.</PageIntro>
      <div className="mx-auto grid max-w-page gap-5 px-4 py-10 sm:px-6 md:py-14 lg:grid-cols-2">
        {medicalServices.map((service) => (
          <Service key={service.name} {...service} />
        ))}
      </div>
      <div className="border-t border-line bg-base-100">
        <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-6 px-4 py-12 sm:px-6">
          <div>
            <h2 className="text-title font-bold">Not sure where to begin?</h2>
            <p className="mt-2 text-muted">Call {brand.phone}. A nurse will help you find the right doctor.</p>
          </div>
          <ButtonLink component={Link} to="/ourDoctors" size="lg" icon="calendar">
            Book Appointment
          </ButtonLink>
        </div>
      </div>
    </>
  );
}

function Service({ name, drawing, summary, specialty }: MedicalService) {
  const doctors = specialty ? `/ourDoctors?specialty=${encodeURIComponent(specialty)}` : '/ourDoctors';
  return (
    <Card as="section" className="flex flex-col gap-5">
      <div className="flex items-center gap-5">
        <Drawing name={drawing} />
        <h2 className="text-heading font-semibold">{name}</h2>
      </div>
      <p className="text-muted">{summary}</p>
      <ul className="grid gap-x-8 gap-y-2.5 text-sm md:grid-cols-2 lg:grid-cols-1">
        {offers[name]?.map((detail) => (
          <li key={detail} className="flex items-start gap-2.5 text-pretty">
            <Icon name="check" size={18} className="mt-0.5 flex-none text-primary" />
            {detail}
          </li>
        ))}
      </ul>
      <p className="mt-auto pt-1">
        <ButtonLink
          component={Link}
          to={doctors}
          variant="soft"
          iconAfter="arrow-right"
          aria-label={`See our doctors for ${name}`}
        >
          See our doctors
        </ButtonLink>
      </p>
    </Card>
  );
}

export default definePage({ Component: ServicesPage });
