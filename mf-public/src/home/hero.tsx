import { Link } from '@clinic/app-kit';
import { brand, ButtonLink, Icon } from '@clinic/ui';
import team from './team.svg';

export function Hero() {
  return (
    <div className="overflow-clip">
      <div className="mx-auto grid max-w-page items-center gap-10 px-4 pt-10 pb-14 sm:px-6 md:pt-14 lg:grid-cols-[1.05fr_1fr] lg:gap-16 lg:pb-16">
        <div>
          <p className="mb-5 inline-flex items-center gap-2 rounded-full bg-tint px-4 py-1.5 text-sm font-semibold text-primary">
            <Icon name="heart" size={16} />
            {brand.tagline}
          </p>
          <h1 className="text-display font-bold">Your Health, Our Priority</h1>
          <p className="mt-6 max-w-prose text-lead text-muted">
            Experienced doctors, unhurried visits and a pharmacy under the same roof. Book in a minute, be seen on time,
            and leave with a plan you understand.
          </p>
          <div className="mt-8 grid gap-3 sm:flex sm:flex-wrap">
            <ButtonLink component={Link} to="/dash/appoinments" size="lg" icon="calendar">
              Book Appointment
            </ButtonLink>
            <ButtonLink component={Link} to="/ourDoctors" size="lg" variant="secondary" iconAfter="arrow-right">
              <span>
                Learn More<span className="sr-only"> about our doctors</span>
              </span>
            </ButtonLink>
          </div>
        </div>
        <div className="relative mx-auto mb-14 w-full max-w-xl">
          <img
            src={team}
            alt="Three of our doctors"
            width={720}
            height={580}
            fetchPriority="high"
            className="h-auto w-full"
          />
          <div className="absolute -bottom-16 left-2 flex max-w-[17rem] items-center gap-4 rounded-card border border-line bg-base-100 p-4 pe-6 shadow-lift sm:left-0">
            <span className="grid size-12 flex-none place-items-center rounded-2xl bg-warm text-base-content">
              <Icon name="clock" size={24} />
            </span>
            <div>
              <p className="text-heading font-bold">24/7 Care</p>
              <p className="text-sm leading-snug text-muted">Our emergency team is here day and night.</p>
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}
